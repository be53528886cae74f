"""The words that people use most: they are said more often than the others of their class."""
from functools import lru_cache

from english import forms
from english.nouns import words

COMMON = words("""
    man woman child boy girl friend mother father brother sister son daughter wife husband uncle aunt grandmother grandfather baby teacher
    student doctor nurse driver neighbour king queen princess farmer baker sailor pilot cook singer policeman postman captain stranger mum dad
    dog cat horse bird fish mouse cow sheep rabbit fox wolf bear lion duck chicken elephant bee frog pig animal
    key bag box cup glass plate bottle knife spoon phone computer camera clock watch lamp umbrella ball ring ticket suitcase picture present
    book letter newspaper story song email message question answer note
    bread milk water tea coffee apple cake egg cheese soup dinner lunch breakfast sandwich pizza orange potato butter sugar rice fruit chocolate
    coat hat shirt shoe dress jacket scarf sock
    house room garden kitchen school shop street town city village park church station bridge river sea beach mountain forest hospital hotel
    library museum market office restaurant cinema farm bank field road world hill lake island castle tower
    car bus train bike boat ship plane taxi bicycle
    table chair bed door window wall floor sofa desk shelf
    tree flower leaf hand head foot eye hair face arm leg heart voice
    sun moon star sky rain snow wind weather
    party holiday lesson game match exam birthday meeting trip journey film concert wedding visit walk
    idea problem name number word time place work job way life thing plan secret dream mistake day night morning evening week year hour minute
    money homework music help news fun love luck
    be have do go come get make take see know think want give find tell ask say use work call try need feel leave put mean keep let begin help
    show hear play run move like live believe bring write sit stand lose pay meet learn change watch follow stop speak read spend grow open walk
    win teach offer remember buy wait send build stay fall cut reach eat drink sleep love hate close clean wash cook drive fly forget laugh cry
    smile sing dance swim visit travel arrive start finish look listen talk answer carry catch break wear paint draw sell shout hide hope
    wake rest invite thank enjoy choose
    old new young good bad big small little long short high low hot cold warm happy sad tired hungry angry nice kind beautiful pretty great fine
    easy difficult hard fast slow early late red blue green white black yellow brown full empty clean dirty rich poor strong heavy light dark
    quiet loud cheap expensive right wrong important interesting different famous funny strange clever ill sick busy ready afraid sure favourite
    best dead free open wet
    Monday Sunday Saturday London Paris England France Anna Ben Mary John Tom Peter Emma Lucy Jack Sam David Alice Clara Paul Maria
    slowly quickly quietly loudly carefully together always never often sometimes today tomorrow yesterday again now soon home
""")
TIMES = 5  # as often as another
FEW = 8  # among so few words nothing is favoured


def forms_of(word):
    """Every form that the word might take; some are of no class and harm nothing."""
    return {word, forms.plural(word), *forms.verb_forms(word), *forms.compared(word)}


COMMON_FORMS = frozenset(form for word in COMMON for form in forms_of(word))


@lru_cache(maxsize=None)
def favoured(group):
    """The words of a group, the common ones among them several times."""
    if len(group) <= FEW:
        return group
    return group + tuple(word for word in group if word in COMMON_FORMS) * (TIMES - 1)
