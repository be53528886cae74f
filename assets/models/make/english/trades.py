"""What each of them does, of all that could be done: the deed by which one knows who "she" or "it" was. The first word changes its form."""

TRADES = {line.split(":")[0]: tuple(tuple(deed.split()) for deed in line.split(":")[1].split(",")) for line in """
actor:act in a play,learn the lines
artist:draw the faces,paint a portrait
baker:bake bread,sell cakes
barber:cut the hair
builder:build a house,carry the bricks
butcher:sell meat,cut the beef
captain:sail the ship,command the crew
clerk:copy the documents,stamp the letters
cook:cook the soup,fry the onions
dancer:dance in the hall,practise every step
dentist:pull a tooth,clean the teeth
designer:design a dress
doctor:treat the patients,visit the sick
driver:drive the bus,stop at the light
engineer:design a bridge,repair the engine
farmer:milk the cows,plough the field
fireman:fight the fire,climb the ladder
fisherman:catch fish,mend the nets
gardener:water the flowers,cut the grass
guard:guard the gate,lock the doors
hunter:hunt deer,follow the tracks
judge:judge the thief,listen to the witness
king:rule the country,wear a crown
lawyer:defend the thief,read the law
librarian:sort the books,lend the novels
mayor:lead the town,open the fair
mechanic:repair the car,change the wheel
miner:dig for coal
musician:play the violin,tune the piano
nun:pray in the chapel
nurse:nurse the sick,help the doctor
officer:command the soldiers
painter:paint the walls,mix the colours
photographer:take pictures
pilot:fly the plane,land at the airport
plumber:repair the pipes
poet:write poems
policeman:arrest the thief,direct the traffic
postman:deliver the letters,ring the bell
priest:pray in the church,bless the bread
queen:rule the land,wear a crown
reporter:write an article,interview the mayor
runner:run a race
sailor:sail the boat,pull the ropes
scientist:study the stars,work in a laboratory
secretary:answer the phone,type a letter
shepherd:count the sheep
shopkeeper:open the shop,count the money
singer:sing a song,practise a tune
soldier:march to the border,guard the tower
student:study for the exam,do the homework
swimmer:swim in the pool
tailor:sew a suit,measure the cloth
teacher:teach the class,correct the homework
thief:steal the money,hide the jewels
tourist:take photos,read the map
waiter:serve the guests,bring the menu
writer:write a novel,finish a chapter
ant:carry a leaf
bear:eat honey,sleep in a cave
bee:make honey
bird:sing in a tree,build a nest
camel:cross the desert
cat:catch a mouse,purr,drink milk
chicken:lay an egg
cow:give milk,eat grass
dog:bark,bury a bone,guard the house
dolphin:jump out of the water
donkey:pull a cart
duck:swim on the lake,quack
eagle:fly over the hills
elephant:lift a tree
fish:swim in the river
fox:steal a chicken
frog:croak,jump into the pond
goat:climb the rocks
hen:lay eggs
horse:gallop,jump over the fence
kitten:play with the wool
lion:roar,hunt zebras
monkey:climb a tree,eat a banana
mouse:eat the cheese,squeak
owl:hoot,hunt at night
parrot:talk,repeat every word
penguin:slide on the ice
pig:roll in the mud
rabbit:hop,eat a carrot
rooster:crow
shark:hunt fish
sheep:eat grass,bleat
snail:crawl along the wall
snake:hiss,creep through the grass
spider:spin a web
squirrel:collect nuts
swan:swim on the river
tiger:creep through the forest,roar
turtle:swim in the sea
whale:dive into the sea
wolf:howl,hunt sheep
""".strip().splitlines()}
