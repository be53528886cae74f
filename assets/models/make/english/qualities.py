"""Adjectives and adverbs: those compared with -er and -est, and those compared with more and most."""

from english.nouns import words

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
    several silent silver similar single special square stupid sudden suitable terrible tired true typical unhappy unusual useful useless
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
    now then today tomorrow yesterday tonight soon later early late already yet still recently lately afterwards immediately finally just
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
