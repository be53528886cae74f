"""Adjectives and adverbs: those compared with -er and -est, and those compared with more and most."""

from english.nouns import words
from english.places import NATIONALITIES

SHORT_ADJECTIVES = words("""
    angry big black blue bold brave bright broad brown busy calm cheap clean clear clever close cold cool cruel dark dear deep dirty dry
    dull dusty early easy empty fair fast fat few fine flat fresh friendly full funny gentle great green grey happy hard healthy heavy high
    holy hot hungry kind large late lazy light lively lonely long loud low lucky mad narrow near neat new nice noisy odd old pale poor
    pretty proud pure quick quiet rare red rich ripe rough round rude sad safe sharp shiny short shy sick silly simple slim slow small smart
    smooth soft sour steep strange strict strong sunny sweet tall thick thin thirsty tidy tight tiny tough ugly warm weak wealthy wet white
    wide wild windy wise young good bad far little
""")

LONG_ADJECTIVES = words("""
    afraid alive alone amazing ancient asleep available awake awful beautiful blind boring careful careless certain comfortable common
    complete confused correct curious dangerous dead deaf delicious different difficult eager electric elegant enormous equal excellent
    excited exciting expensive extra false famous fashionable favourite foreign former free frozen generous glad golden grateful guilty
    handsome honest huge humble ill important impossible innocent intelligent interested interesting jealous legal left loyal main modern
    natural necessary nervous normal obvious open orange ordinary original own patient perfect pink pleasant polite popular possible
    powerful precious private professional public purple ready real reasonable right royal rusty salty same scared secret selfish serious
    several silent silver similar single special square stupid sudden suitable terrible tired true absent antique bored broken cheerful
    crowded distant local loose lost lovely fantastic
    official straight peaceful personal plain raw sorry spare sure surprised surprising tame valuable typical unhappy unusual useful useless
    usual various wonderful wooden worried wrong yellow
""")

# How something is done: after the verb.
MANNER = words("""
    aloud alone angrily badly beautifully boldly bravely briefly brightly calmly carefully carelessly cheerfully cleverly clearly correctly
    directly easily eagerly exactly fast firmly freely gently gladly gracefully greedily happily hard heavily honestly hungrily kindly
    lazily loudly nervously neatly patiently perfectly politely poorly properly proudly quickly quietly rudely sadly safely seriously
    sharply silently simply slowly smoothly softly strangely strongly suddenly sweetly terribly tightly together well warmly wildly wisely
""")

FREQUENCY = words("always usually often frequently sometimes occasionally rarely seldom never again once twice daily")
TIME = words("""
    ever now then today tomorrow yesterday tonight soon later early late already yet still recently lately afterwards immediately finally just
    ago before since
""")
PLACE = words("""
    here there everywhere nowhere somewhere anywhere away back down downstairs home indoors inside near nearby out outside outdoors up
    upstairs abroad ahead far forward left right
""")
DEGREE = words("""
    very too so quite rather almost nearly enough hardly only really completely extremely fairly much more most less least even especially
    mainly partly
""")
SENTENCE = words("""
    maybe perhaps probably certainly definitely fortunately unfortunately luckily obviously however therefore otherwise instead besides
    anyway actually indeed also either neither
""")

ADVERBS = (MANNER, FREQUENCY, TIME, PLACE, DEGREE, SENTENCE)

# What can be called so, by class of noun (nouns.py): before the noun, and after "is".
COLOURS = words("black blue brown green grey orange pink purple red white yellow golden silver")
SIZES = words("big small large little huge enormous tiny")
LOOKS = {
    "people": words("""
        old young tall short small thin slim fat strong weak pretty handsome beautiful rich poor wealthy famous kind gentle friendly polite rude
        cruel clever smart wise silly stupid intelligent brave bold shy quiet loud noisy lazy busy careful careless honest loyal selfish generous
        patient nervous calm proud humble strict funny boring interesting strange lonely happy unhappy sad angry cheerful jealous curious eager tired
        hungry thirsty sick ill healthy blind deaf innocent guilty professional foreign ordinary good bad great nice pleasant dear royal fantastic
        wild mad lively powerful important common lucky favourite
    """) + NATIONALITIES,
    "animals": SIZES + words("""
        old young fat thin fast slow quick lazy wild tame hungry thirsty tired sick friendly gentle angry brave clever shy lonely quiet noisy lively
        beautiful ugly funny dangerous strange rare happy sad strong weak dirty wet
    """) + COLOURS[:7],
    "things": SIZES + COLOURS + words("""
        old new heavy light cheap expensive round square long short straight broken dirty clean shiny soft hard wooden electric modern antique useful
        useless beautiful ugly strong thin thick wide narrow empty full wet dry sharp flat smooth rough precious plain pretty different
        strange unusual
        perfect tidy neat special simple open rusty bright dull dusty fine odd pale tough single ordinary extra spare broad elegant original
        valuable typical
    """),
    "food": words("""
        fresh delicious sweet sour salty hot cold warm cool ripe soft hard big small large little cheap expensive good bad terrible awful wonderful
        healthy rich frozen raw dry huge tiny nice excellent green red yellow
    """),
    "clothes": COLOURS + words("""
        new old clean dirty wet dry warm elegant fashionable expensive cheap beautiful pretty ugly tight loose long short thick thin large
        small big soft
        favourite modern
    """),
    "places": SIZES + words("""
        old new modern ancient beautiful quiet noisy busy empty dark famous clean dirty wide narrow deep high low long safe dangerous cold warm
        windy sunny lovely wonderful strange lonely crowded public private dusty holy foreign pleasant peaceful near
        distant steep great main local cool available bright fine free
    """),
    "ideas": words("""
        good bad great new old big small important interesting boring difficult easy simple strange silly stupid clever wise secret special
        common different
        dangerous similar serious possible impossible necessary real true false wrong right certain clear obvious normal natural usual
        unusual reasonable legal popular sudden terrible wonderful amazing awful surprising exciting favourite former single hard pure
        correct original complete private personal official suitable typical various equal perfect fair
    """),
}

# After "is" alone: how somebody feels, and of things.
FEELINGS = words("""
    afraid alive alone angry asleep awake bored busy calm certain cold comfortable confused dead excited free glad grateful guilty happy hungry ill
    interested jealous late lonely lost lucky mad nervous proud ready sad safe scared sick silent sorry sure surprised thirsty tired unhappy wet
    worried wrong right early quiet available strong absent
""")
