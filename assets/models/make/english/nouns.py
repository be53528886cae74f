"""Everyday nouns in the singular, by what can be done with them. A class is what a verb asks of its subject or its object."""


def words(text):
    return tuple(text.split())


PEOPLE = words("""
    actor artist aunt baker boy brother builder butcher captain child clerk cook cousin dancer daughter dentist designer doctor driver
    engineer farmer father fireman fisherman friend gardener girl grandfather grandmother guard guest guide hunter husband judge king lawyer
    leader librarian man manager mayor mechanic mother musician neighbour nephew niece nurse officer painter parent partner pilot player
    poet policeman policewoman postman president priest prince princess professor queen reporter sailor scientist secretary servant
    shopkeeper singer sister soldier son stranger student tailor teacher thief tourist traveller uncle visitor waiter wife winner witness
    woman worker writer accountant adult baby boss chef coach colleague customer editor expert grandchild hero host inventor journalist
    miner nun owner patient person plumber runner speaker swimmer teenager trainer twin villager walker
""")

ANIMALS = words("""
    ant bear bee bird butterfly calf camel cat chicken cow crab deer dog dolphin donkey duck eagle elephant fish fly fox frog goat goose hen
    horse insect kitten lamb lion lizard monkey mosquito mouse owl ox parrot penguin pig pigeon pony puppy rabbit rat rooster seal shark
    sheep snail snake spider squirrel swan tiger turtle whale wolf worm zebra
""")

TOOLS = words("""
    axe bag ball balloon basket battery bell blanket bottle bowl box broom brush bucket button calculator camera candle card carpet chain
    clock comb computer cup cushion doll drum envelope fan flag fork glass glove guitar hammer jar kettle key keyboard kite knife ladder
    lamp lock machine mask mirror nail needle net oven pan pen pencil phone piano picture pillow pin pipe plate pot purse radio razor ring
    rope ruler screen sheet shovel spoon stamp stick stone suitcase sword telephone television tent ticket torch towel toy tray umbrella
    vase violin wallet watch wheel whistle
""")

READ = words("""
    article book chapter diary dictionary document email essay letter magazine map menu message newspaper note notebook novel page paper
    paragraph poem postcard question answer recipe report sentence sign song story word
""")

FOOD = words("""
    apple banana bean biscuit burger cake carrot cherry chocolate cookie cucumber dessert egg fruit grape hamburger lemon loaf lunch
    breakfast dinner meal melon mushroom nut olive onion orange pancake pea peach pear pepper pie pizza plum potato pudding salad sandwich
    sausage snack soup steak strawberry sweet tomato vegetable
""")

# Without a plural and without "a".
FOOD_MASS = words("bread butter cheese honey jam meat rice salt sugar pasta ice bacon beef flour garlic yoghurt")
DRINKS_MASS = words("water milk tea coffee juice wine beer lemonade")

CLOTHES = words("belt blouse boot cap coat dress hat helmet jacket necklace scarf shirt shoe skirt sock suit sweater tie uniform costume")

ROOMS = words("""
    airport apartment attic balcony bank bar barn bathroom bedroom bridge building cafe camp cave cellar church cinema classroom club
    college corridor cottage factory farm flat garage garden gate hall harbour hospital hotel house hut island jail kitchen laboratory
    library market museum office palace park playground pool prison restaurant roof room school shop stable stadium station street studio
    supermarket temple theatre tower town tunnel university village warehouse yard zoo beach castle city coast corner desert field forest
    hill lake mountain path river road sea square valley world country
""")

VEHICLES = words("""
    aeroplane ambulance bicycle bike boat bus car cart helicopter lorry motorbike plane rocket ship taxi tractor train tram truck van
""")

FURNITURE = words("""
    bath bed bench bookshelf chair couch cupboard curtain desk door drawer floor fridge seat shelf shower sofa stove table wall wardrobe
    window fence
""")

PLANTS = words("branch bush flower leaf plant root rose seed tree tulip wood")

BODY = words("""
    arm back beard body bone brain cheek chin ear elbow eye face finger foot hair hand head heart knee leg lip mouth neck nose shoulder skin
    stomach thumb toe tongue tooth voice
""")

SKY = words("cloud moon planet rainbow star storm sun sky shadow wave wind")
WEATHER = words("fog rain snow sunshine thunder lightning")

EVENTS = words("""
    accident birthday celebration competition concert conversation dance exam exercise experiment fight fire flight game holiday interview
    journey lesson match meeting party race show speech test tour trip visit walk war wedding
""")

IDEAS = words("""
    address advantage age amount beginning change chance choice class club colour course crime danger decision difference direction dream
    effort end example fact family fault feeling goal group habit half hope idea illness job joke language law lie life line list love
    market meaning memory method minute mistake name number opinion part pattern pause piece place plan point price prize problem project
    promise rate reason result rule secret side size skill smile sound space step subject surprise team thing thought title topic tradition
    truth type value view way wish
""")

MASS_IDEAS = words("""
    advice courage education energy fun furniture happiness health help homework information knowledge luck luggage money music news noise
    patience peace research time traffic work
""")

TIMES = words("second minute hour day week month year century morning afternoon evening night weekend moment season")

COUNTED = {
    "people": PEOPLE, "animals": ANIMALS, "tools": TOOLS, "read": READ, "food": FOOD, "clothes": CLOTHES, "rooms": ROOMS,
    "vehicles": VEHICLES, "furniture": FURNITURE, "plants": PLANTS, "body": BODY, "sky": SKY, "events": EVENTS, "ideas": IDEAS, "times": TIMES,
}
UNCOUNTED = {"food": FOOD_MASS, "drinks": DRINKS_MASS, "weather": WEATHER, "ideas": MASS_IDEAS}
