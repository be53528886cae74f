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
    miner nun owner patient person plumber runner speaker swimmer teenager trainer twin villager walker barber cleaner cyclist dad dwarf
    fairy gentleman giant grandma grandpa lady mum photographer pupil robot shepherd witch wizard boyfriend girlfriend grandad granddaughter
    grandson chemist clown shoemaker miller bride ghost knight astronaut athlete author beginner bookseller burglar busker cheater climber
    collector composer conductor drummer electrician emperor explorer florist goalkeeper guitarist headmaster infant inspector instructor
    jeweller juggler kid landlord mate magician messenger novelist opponent orphan passenger pianist pirate psychologist referee relative
    rider robber flatmate saint salesman schoolboy schoolgirl senior skater specialist spy stepmother surgeon toddler toymaker translator
    veteran viewer violinist volunteer wanderer weaver
""")

# Whom the demo texts call "she"; the other people are "he". Each trade has one pronoun, so that who is meant can be learned.
SHE = words("""
    aunt daughter fairy girl grandma grandmother lady mother mum niece nun policewoman princess queen sister wife witch woman
    accountant artist baker captain chef coach dancer dentist designer doctor editor engineer farmer gardener guide judge lawyer librarian
    mayor musician nurse painter pilot poet professor reporter scientist secretary singer student swimmer teacher tourist walker writer
""")

ANIMALS = words("""
    ant bear bee bird butterfly calf camel cat chicken cow crab deer dog dolphin donkey duck eagle elephant fish fly fox frog goat goose hen
    horse insect kitten lamb lion lizard monkey mosquito mouse owl ox parrot penguin pig pigeon pony puppy rabbit rat rooster seal shark
    sheep snail snake spider squirrel swan tiger turtle whale wolf worm zebra animal beetle dragon hamster hedgehog ape badger bat bull
    cockroach crocodile crow dove flamingo foal gorilla kangaroo koala ladybird mole moth otter panda peacock pet reindeer robin salmon
    seagull sparrow squid stork toad wasp woodpecker
""")

TOOLS = words("""
    axe bag ball balloon basket battery bell blanket bottle bowl box broom brush bucket button calculator camera candle card carpet chain
    clock comb computer cup cushion doll drum envelope fan flag fork glass glove guitar hammer jar kettle key keyboard kite knife ladder
    lamp lock machine mask mirror nail needle net oven pan pen pencil phone piano picture pillow pin pipe plate pot purse radio razor ring
    rope ruler screen sheet shovel spoon stamp stick stone suitcase sword telephone television tent ticket torch towel toy tray umbrella
    vase violin wallet watch wheel whistle diamond drink gift jewel laptop mat medal nest present trophy brick web crown engine blackboard
    boomerang bulb cable calendar can charger compass crayon dish doorbell dustbin earring folder frame hook iron jug lighter lid magnet
    microphone microscope mug napkin notepad packet parachute parcel password pocket puzzle remote rucksack sack saddle saucer scale sponge
    statue string switch tap teapot telescope thermometer tin tool toothbrush trumpet tube wire
""")

READ = words("""
    article book chapter diary dictionary document email essay letter magazine map menu message newspaper note notebook novel page paper
    paragraph poem postcard question answer recipe report sentence sign song story word advert alphabet biography brochure caption comic
    contract guidebook headline invitation leaflet manual notice quiz riddle rhyme script text textbook timetable title
""")

FOOD = words("""
    apple banana bean biscuit burger cake carrot cherry chocolate cookie cucumber dessert egg fruit grape hamburger lemon loaf lunch
    breakfast dinner meal melon mushroom nut olive onion orange pancake pea peach pear pepper pie pizza plum potato pudding salad sandwich
    sausage snack soup steak strawberry sweet tomato vegetable muffin noodle pastry almond apricot bagel bun cabbage candy cauliflower chip
    coconut crisp curry doughnut fig hazelnut kebab lettuce lollipop mango omelette pineapple pumpkin raspberry roll sauce taco toffee
    turnip waffle walnut
""")

# Without a plural and without "a".
FOOD_MASS = words("""
    bread butter cheese honey jam meat rice salt sugar pasta ice bacon beef flour garlic yoghurt toast cream cereal ham ketchup mustard oil
    popcorn pork porridge spaghetti spinach turkey vinegar broccoli
""")
DRINKS_MASS = words("water milk tea coffee juice wine beer lemonade cocoa cider soda champagne")

CLOTHES = words("""
    belt blouse boot cap coat dress hat helmet jacket necklace scarf shirt shoe skirt sock suit sweater tie uniform costume bracelet hoodie
    jumper pullover raincoat sandal sleeve slipper sweatshirt tracksuit vest waistcoat zip
""")

ROOMS = words("""
    airport apartment attic balcony bank bar barn bathroom bedroom bridge building cafe camp cave cellar church cinema classroom club
    college corridor cottage factory farm flat garage garden gate hall harbour hospital hotel house hut island jail kitchen laboratory
    library market museum office palace park playground pool prison restaurant roof room school shop stable stadium station street studio
    supermarket temple theatre tower town tunnel university village warehouse yard zoo beach castle city coast corner desert field forest
    hill lake mountain path river road sea square valley world country bakery border chapel crossing land pharmacy pond shore store surgery
    aquarium ballroom canteen ceiling circus cliff clinic courtyard doorstep embassy entrance exit fountain ground gym hallway hostel jungle
    kiosk lane lawn lighthouse lounge meadow mosque motel nursery orchard pavement pier platform port pub ranch roundabout ruin runway
    skyscraper staircase stage stall suburb swamp terrace toilet underground vineyard waterfall windmill workshop capital
""")

VEHICLES = words("""
    aeroplane ambulance bicycle bike boat bus car cart helicopter lorry motorbike plane rocket ship taxi tractor train tram truck van canoe
    coach ferry jeep kayak raft scooter sledge submarine tank trailer wagon yacht
""")

FURNITURE = words("""
    bath bed bench bookshelf chair couch cupboard curtain desk door drawer floor fridge seat shelf shower sofa stove table wall wardrobe
    window fence armchair bin blind cooker cot cradle dishwasher doormat freezer heater lampshade lift mattress microwave sink stair stool
    tile tub wallpaper
""")

PLANTS = words("""
    branch bush flower leaf plant root rose seed tree tulip wood bud cactus daisy daffodil fern hedge ivy lily oak palm petal pine sunflower
    twig weed willow
""")

BODY = words("""
    arm back beard body bone brain cheek chin ear elbow eye face finger foot hair hand head heart knee leg lip mouth neck nose shoulder skin
    stomach thumb toe tongue tooth voice ankle bottom chest eyebrow forehead heel hip jaw lung moustache muscle nail palm rib throat tail
    thigh tummy waist wing wrist beak paw claw feather
""")

SKY = words("""
    cloud moon planet rainbow star storm sun sky shadow wave wind breeze comet dawn flood galaxy sunrise sunset thunderstorm horizon
""")
WEATHER = words("fog rain snow sunshine thunder lightning weather frost hail mist wind smoke darkness air fire sunlight")

EVENTS = words("""
    accident birthday celebration competition concert conversation dance exam exercise experiment fight fire flight game holiday interview
    journey lesson match meeting party race show speech test tour trip visit walk war wedding film picnic play adventure anniversary
    appointment barbecue business ceremony contest course debate earthquake event exhibition festival funeral haircut hobby lecture marathon
    opera parade performance quarrel rehearsal search sale strike tournament training trial workout
""")

IDEAS = words("""
    address advantage age amount beginning change chance choice class club colour course crime danger decision difference direction dream
    effort end example fact family fault feeling goal group habit half hope idea illness job joke language law lie lot life line list love
    market meaning memory method minute mistake name number opinion part pattern pause piece place plan point price prize problem project
    promise rate reason result rule secret side size skill smile sound space step subject surprise team thing thought title topic tradition
    truth type value view way wish bill crew portrait tune track photo rock trade coin dollar euro penny pound ability accent attempt
    behaviour belief cause comment condition custom degree detail disease duty emotion experience explanation expression fashion favour
    fever figure grade growth headache history influence interest level loss manner mood need opportunity order pain period policy position
    possibility power process proof purpose relation request respect response risk role service shape situation sort source standard status
    style success suggestion talent task taste theme theory threat toothache trick trouble use variety victory voice wonder youth greeting
    regard
""")

MASS_IDEAS = words("""
    advice courage education energy fun furniture happiness health help homework information knowledge luck luggage money music news noise
    patience peace research time traffic work cloth coal gold grass mud wool equipment art baseball basketball biology chemistry chess
    cricket football geography golf hockey maths mathematics physics rugby science swimming tennis volleyball love hope hate truth beauty
    anger fear freedom honesty hunger joy justice nature pride sadness safety silence sleep sport strength trust weight wisdom rubbish dust
    sand electricity paint soap petrol plastic steel stone dancing singing reading writing cooking running shopping painting playing working
""")

TIMES = words("""
    second minute hour day week month year century morning afternoon evening night weekend moment season autumn decade fortnight midday
    spring summer winter
""")

COUNTED = {
    "people": PEOPLE, "animals": ANIMALS, "tools": TOOLS, "read": READ, "food": FOOD, "clothes": CLOTHES, "rooms": ROOMS,
    "vehicles": VEHICLES, "furniture": FURNITURE, "plants": PLANTS, "body": BODY, "sky": SKY, "events": EVENTS, "ideas": IDEAS, "times": TIMES,
}
UNCOUNTED = {"food": FOOD_MASS, "drinks": DRINKS_MASS, "weather": WEATHER, "ideas": MASS_IDEAS}
