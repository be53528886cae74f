"""Deeds that have their own thing and their own place: what was done tells where."""
from english import function_words
from grammar.agreement import be, say_auxiliary, say_verb
from grammar.named import name
from grammar.noun_phrases import counted
from grammar.referents import OWN, Referent

# verb: thing, preposition, place
DEEDS = {line.split(":")[0]: tuple(line.split(":")[1].split()) for line in """
deposit:money at bank
buy:bread at bakery
read:book in library
plant:tree in garden
boil:soup in kitchen
catch:train at station
learn:lesson at school
park:car in garage
milk:cow on farm
fly:kite on hill
borrow:novel from library
wash:hands in bathroom
watch:film at cinema
see:play in theatre
meet:doctor in hospital
build:castle on beach
sell:vegetables at market
repair:bicycle in garage
order:meal in restaurant
sail:boat on lake
board:plane at airport
feed:penguins at zoo
admire:pictures in museum
fry:onions in kitchen
""".strip().splitlines()}


def plan(t):
    """I am going to deposit my money at the bank."""
    for left in range(t.choose(1, 2), 0, -1):
        t.pass_by("plan", left)
        one_plan(t)


def planner(t):
    how = t.choose((3, "I"), (1, "we"), (2, "name"), (1, "who"))
    if how in ("I", "we"):
        t.say(how)
        return Referent(t.last(), how, None, "people")
    return name(t) if how == "name" else counted(t, "people")


def one_plan(t):
    who = planner(t)
    how = t.choose((3, "going"), (1, "want"), (1, "past"), (0.7, "will"))
    if how == "going":
        say_auxiliary(t, who, be(who, "present"))
        t.say_all("going to")
    elif how == "want":
        say_verb(t, ("want", "hope", "plan", "try", "like"), "present", who)
        t.say("to")
    elif how == "will":
        say_auxiliary(t, who, "will")
    deed(t, who, "past" if how == "past" else "base")
    if t.choose((2, False), True):
        t.say("on")
        t.say(*function_words.WEEKDAYS)
    t.say(".")


def deed(t, who, form, relation="antecedent"):
    verb, at = say_verb(t, tuple(DEEDS), form, who)
    thing, preposition, place = DEEDS[verb]
    t.say(OWN[who.pronoun])
    t.refer(relation, who.at)
    t.say(thing)
    t.link("object", t.last(), at)
    t.say(preposition)
    t.say("the")
    t.say(place)
    t.link("deed", t.last(), at)
