"""Everyday verbs in their base form, by what they take. A frame is who does it, and to what class of nouns (nouns.py)."""

from english.nouns import words

# Nothing follows: Anna sleeps. By subject.
ALONE = {
    "people": words("""
        argue bow clap complain cough cry dance disagree dream exercise faint frown giggle hesitate laugh lie nod pause practise pray relax
        rest shout sigh sing skate ski sleep smile smoke sneeze snore speak stand succeed talk travel wake weep whisper wink work worry yawn
    """),
    "animals": words("bite creep drink eat escape fight hide hunt jump play rest run sleep starve swim wait"),
    "things": words("""
        appear arrive break burst burn change crack disappear fall float freeze grow happen leak melt move ring rise shake shine sink stop
        vanish vary
    """),
}

# Towards or from a place: the cat runs into the garden.
MOTION = words("""
    arrive climb crawl cycle drive fall flee fly go hurry jog jump leap march move return ride run rush sail slide stumble swim turn walk
    wander
""")

# With an object of a class: the baker eats an apple.
ON_OBJECT = {
    "people": words("""
        admire advise amuse answer arrest ask attack avoid blame call comfort congratulate copy disappoint embrace employ encourage
        entertain fear follow forgive frighten greet guide hate help hire hug ignore impress injure insult interrupt invite join kiss know
        lead like love marry meet miss need obey phone praise pity please protect punish push recognise remember rescue respect save scare
        see serve shock stop surprise tease thank threaten train trust understand visit warn watch welcome
    """),
    "animals": words("catch chase feed frighten hear hold hunt love own pet ride save see shoot stroke tame touch train watch"),
    "tools": words("""
        borrow break bring buy carry clean collect cover damage deliver destroy discover drop examine find fix forget get hide hold keep
        kick leave lift lock lose make move need own pack paint pick place press pull push put receive repair replace return sell shake
        share steal store take throw tie touch use want wash wrap
    """),
    "read": words("""
        analyse begin check choose copy correct describe discuss edit explain finish forget hear improve learn print publish read repeat
        study translate understand write
    """),
    "food": words("bake bite boil chop cook cut eat finish fry mix offer order peel prepare roast serve share smell swallow taste"),
    "drinks": words("boil drink heat order pour spill sip"),
    "clothes": words("buy choose fold hang iron sew try wash wear tear"),
    "rooms": words("attack build clean close decorate design enter explore heat leave open paint pass reach search see visit"),
    "vehicles": words("board buy drive hear park push rent repair see sell start stop wash"),
    "furniture": words("build buy carry clean cover dust lift measure move paint polish sell"),
    "plants": words("cut dig grow pick plant smell sweep water"),
    "events": words("arrange attend begin cancel celebrate delay enjoy end expect finish miss organise plan prepare remember watch win"),
    "ideas": words("""
        accept believe change compare consider correct defend develop doubt examine forget ignore mention notice refuse reject remember
        solve suggest support understand
    """),
}

# Two objects: Anna gives the sailor a book.
GIVING = words("bring buy give hand lend offer owe pass pay promise sell send show teach throw")

# A clause follows: Anna says that the bus is late.
SAYING = words("""
    admit agree announce answer assume believe claim complain decide discover doubt expect explain fear feel find forget guess hear hope
    imagine insist know learn mean mention notice predict pretend promise prove read realise remember reply report say see suggest suppose
    suspect think understand warn write
""")

# to and a verb follow: Anna wants to sleep.
WANTING = words("""
    agree begin choose continue decide expect forget hate hope learn like love manage need offer plan prefer prepare promise refuse seem
    start tend try want
""")

# -ing follows: Anna enjoys swimming.
ENJOYING = words("avoid enjoy finish imagine keep mind practise regret stop suggest")

# An object, to and a verb: Anna asks the sailor to wait.
ASKING = words("advise allow ask beg encourage expect force help invite order permit persuade remind teach tell warn want")

# An adjective follows: the soup smells good.
SEEMING = words("appear become feel get grow look remain seem smell sound stay taste turn")

AUXILIARIES = words("be have do")
OTHER = words("""
    beat belong bend blow borrow come control cost count cross deal depend divide draw earn exist fail fill fit gather handle hit hurt
    include increase last lay let lend listen live look matter measure occur overtake prefer produce provide quarrel rain reduce refer
    search set shut signal sit snow sound spend stay stick sweep upset wait wonder
""")

FRAMES = (*ALONE.values(), MOTION, *ON_OBJECT.values(), GIVING, SAYING, WANTING, ENJOYING, ASKING, SEEMING, AUXILIARIES, OTHER)
ALL = tuple(sorted({verb for frame in FRAMES for verb in frame}))
