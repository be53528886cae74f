"""Everyday verbs in their base form, by what they take. A frame is who does it, and to what class of nouns (nouns.py)."""

from english.nouns import words

# Nothing follows: Anna sleeps. By subject.
ALONE = {
    "people": words("""
        argue bow clap complain cough cry dance disagree dream exercise faint frown giggle hesitate laugh lie nod pause practise pray relax
        rest shout sigh sing skate ski sleep smile smoke sneeze snore speak stand succeed talk travel wake weep whisper wink work worry yawn
        apologise blink blush breathe cheat chew chuckle gossip groan grin hum knit knock moan queue row scream shiver shrug slip
        stammer stare stutter surf sweat tremble trip wait wave whistle wonder yell
    """),
    "animals": words("""
        bite creep drink eat escape fight hide hunt jump play rest run sleep starve swim wait drown growl hatch purr roar scratch snore
        stretch whine yawn
    """),
    "things": words("""
        appear arrive break burst burn change crack disappear fall float freeze grow happen leak melt move ring rise shake shine sink stop
        exist fail fit last matter occur vanish vary bounce collapse crumble dry explode glow rattle rot roll rust slip snap spin split
        stink swing tremble wobble
    """),
}

# Towards or from a place: the cat runs into the garden.
MOTION = words("""
    arrive climb come crawl cycle drive fall flee fly go hurry jog jump leap march move return ride run rush sail slide stumble swim turn
    walk wander bounce dash dive drift escape gallop glide hop pace paddle row roam skate ski skip sneak stroll tiptoe travel trot
""")

# With an object of a class: the baker eats an apple.
ON_OBJECT = {
    "people": words("""
        admire advise amuse answer arrest ask attack avoid beat blame call comfort congratulate control copy disappoint embrace employ
        encourage entertain fear follow forgive frighten greet guide hate help hire hit hug hurt ignore impress injure insult interrupt
        invite join kiss know lead like love marry meet miss need obey phone pity please praise protect punish push recognise remember
        rescue respect save scare see serve shock stop surprise tease thank threaten train trust understand upset visit warn watch welcome
        annoy bother bump carry cheat confuse cure deceive disturb envy fetch fool guard inspire introduce kick lift mention notice question
        scold slap spot surround tickle wake warm worry wrestle
    """),
    "animals": words("""
        bring catch chase draw feed frighten hear hold hunt kiss like love need own pet ride save see shoot stroke tame touch train want watch
    """),
    "tools": words("""
        bend borrow break bring buy carry clean collect cover damage deliver destroy discover divide drop examine fill find fix forget get
        handle hide hit hold keep kick leave lift like lock lose make move need own pack paint pick place press produce pull push put
        receive repair replace return sell set shake share spend steal store take throw tie touch use want wash wrap adjust aim empty fetch
        grab grip hammer knock label light lower order polish raise reach rub scrape scratch sharpen snatch spin squeeze swing switch tap
        tidy toss trade twist unlock unpack weigh wipe
    """),
    "read": words("""
        analyse begin bring buy check choose copy correct describe discuss draw edit explain finish forget hear improve learn like love
        need print publish read repeat study translate understand want write
    """),
    "food": words("""
        bake bite boil bring buy chop cook cut eat find finish fry get hate like love mix need offer order peel prepare roast sell serve
        share smell swallow taste want burn chew crush grate grill heat lick melt nibble pack slice sprinkle spread squeeze steam stir swap
        waste weigh
    """),
    "drinks": words("""
        boil bring buy drink hate heat like love need order pour share sip spill take want brew gulp pass serve stir warm waste
    """),
    "clothes": words("""
        bring buy choose find fold hang iron like lose love need put sew tear try want wash wear dry dye fasten knit mend pack patch remove
        unbutton zip
    """),
    "rooms": words("""
        attack build clean close decorate design enter explore find heat know leave like love open paint pass reach search see visit avoid
        cross destroy draw flood guard haunt inspect light lock own photograph rebuild rent rob share sweep tidy view
    """),
    "vehicles": words("board buy catch control drive hear like miss need overtake park push rent repair see sell start stop take want wash"),
    "furniture": words("build buy carry clean cover dust lift like measure move need paint polish sell shut want"),
    "plants": words("""
        cut dig gather grow like love pick plant see smell sweep water admire climb cultivate hug protect remove shake trim
    """),
    "events": words("""
        arrange attend begin cancel celebrate delay end enjoy expect finish hate like love miss organise plan prepare remember see watch win
        announce avoid describe host interrupt lose mention ruin skip stop survive welcome
    """),
    "ideas": words("""
        accept believe change compare consider control correct defend develop doubt examine find forget ignore include increase know like
        mention notice provide reduce refuse reject remember set solve suggest support understand admire admit apply describe discuss
        express explain follow love need recognise repeat share study
    """),
}

# In a place: Ben lives in London.
STAYING = words("camp eat lie live meet play rest sit sleep stand stay wait work")

# With a preposition of its own, and the class of what follows: Ben waits for the bus.
WITH_PREPOSITION = {tuple(line.split()[:2]): line.split()[2] for line in """
    agree with people
    argue with people
    belong to people
    chat with people
    cheer for people
    deal with ideas
    depend on people
    dream about ideas
    fight with people
    joke about ideas
    laugh at people
    listen to people
    look at tools
    look for tools
    play with animals
    quarrel with people
    refer to ideas
    search for tools
    shout at people
    signal to people
    smile at people
    speak to people
    stick to ideas
    talk about ideas
    talk to people
    think about ideas
    think of people
    travel with people
    wait for vehicles
    wait for people
    wave to people
    whisper to people
    wonder about ideas
    work for people
    worry about ideas
    write to people
""".strip().splitlines()}

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
    add excuse inhabit
    beat belong bend blow borrow come control cost count cross deal depend divide draw earn exist fail fill fit gather handle hit hurt
    include increase last lay let lend listen live look matter measure occur overtake prefer produce provide quarrel rain reduce refer
    act bark bleat bless bury cheer command croak crow deposit direct dive gallop guard hiss hoot hop howl interview judge land mend milk
    nurse plough purr quack roar roll rule sort spin squeak stamp treat tune type camp chat
    search set shut signal sit snow sound spend stay stick sweep upset wait wonder
""")

FRAMES = (*ALONE.values(), MOTION, *ON_OBJECT.values(), STAYING, tuple(verb for verb, _ in WITH_PREPOSITION), GIVING, SAYING, WANTING,
          ENJOYING, ASKING, SEEMING, AUXILIARIES, OTHER)
ALL = tuple(sorted({verb for frame in FRAMES for verb in frame}))
