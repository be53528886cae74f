"""The closed classes of English, complete as far as everyday text goes: what holds the other words together."""

from english.nouns import words

# number and person: subject, object, before a noun, alone, reflexive
PRONOUNS = {
    "I": words("I me my mine myself"),
    "you": words("you you your yours yourself"),
    "you all": words("you you your yours yourselves"),
    "he": words("he him his his himself"),
    "she": words("she her her hers herself"),
    "it": words("it it its its itself"),
    "we": words("we us our ours ourselves"),
    "they": words("they them their theirs themselves"),
    "one": ("one", "one", "one's", "one's", "oneself"),
}
INDEFINITE = words("""
    anybody anyone anything everybody everyone everything nobody nothing somebody someone something none another other others each either
    neither both all some any many much most few several such same enough less more
""")
DETERMINERS = words("""
    a an the this that these those every each no some any all both half either neither another which what whose many much few little several
""")
RELATIVE = words("who whom whose which that where when why")
QUESTIONS = words("who whom whose what which when where why how")
PREPOSITIONS = words("""
    about above across after against along among around as at before behind below beneath beside besides between beyond by despite down
    during except for from in inside into like near of off on onto opposite out outside over past per round since than through throughout
    till to toward towards under underneath unlike until up upon via with within without
""")
COORDINATORS = words("and or but nor so yet")
SUBORDINATORS = words("""
    after although as because before if once since than that though till unless until when whenever where whereas wherever whether while
""")
BE = words("be am is are was were been being")
HAVE = words("have has had having")
DO = words("do does did done doing")
MODALS = words("can could may might must ought shall should will would")
# As tokenizers take them apart: the part after the apostrophe is a word of its own.
CONTRACTIONS = words("""
    n't 's 're 've 'll 'd 'm don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't
    mustn't let's
""")
ANSWERS = words("yes no not okay please thanks hello hi goodbye bye sorry oh well dear yours sincerely")
CARDINALS = words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
    thirty forty fifty sixty seventy eighty ninety hundred thousand million
""")
ORDINALS = words("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth twentieth hundredth last next")
WEEKDAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = words("January February March April May June July August September October November December")
SEASONS = words("spring summer autumn winter")
CLOCK = words("midnight noon o'clock am pm quarter half past to")
DIRECTIONS = words("north south east west middle top bottom end front left right centre")
TITLES = words("Mr Mrs Ms Miss Dr Sir Madam Professor")

CLASSES = (*PRONOUNS.values(), INDEFINITE, DETERMINERS, RELATIVE, QUESTIONS, PREPOSITIONS, COORDINATORS, SUBORDINATORS, BE, HAVE, DO, MODALS,
           CONTRACTIONS, ANSWERS, CARDINALS, ORDINALS, WEEKDAYS, MONTHS, SEASONS, CLOCK, DIRECTIONS, TITLES)
