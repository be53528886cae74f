"""Cities, and the countries they lie in; and a few other places of the world."""

# country: its cities, the capital first
CITIES = {line.split(":")[0]: tuple(city.strip().replace("_", " ") for city in line.split(":")[1].split()) for line in """
Argentina:Buenos_Aires
Australia:Canberra Sydney Melbourne
Austria:Vienna Salzburg
Belgium:Brussels Antwerp
Brazil:Brasilia
Bulgaria:Sofia
Canada:Ottawa Toronto Montreal Vancouver
Chile:Santiago
China:Beijing Shanghai
Colombia:Bogota
Croatia:Zagreb
Cuba:Havana
Denmark:Copenhagen
Egypt:Cairo Alexandria
England:London Manchester Liverpool Oxford Cambridge Bristol
Estonia:Tallinn
Ethiopia:Addis_Ababa
Finland:Helsinki
France:Paris Lyon Marseille Nice
Germany:Berlin Hamburg Munich Cologne Frankfurt Dresden
Ghana:Accra
Greece:Athens
Hungary:Budapest
Iceland:Reykjavik
India:Delhi Mumbai
Indonesia:Jakarta
Iran:Tehran
Iraq:Baghdad
Ireland:Dublin Cork
Israel:Jerusalem
Italy:Rome Milan Venice Florence Naples
Jamaica:Kingston
Japan:Tokyo Osaka Kyoto
Kenya:Nairobi
Korea:Seoul
Latvia:Riga
Lebanon:Beirut
Mexico:Mexico_City
Morocco:Casablanca
Nepal:Kathmandu
Netherlands:Amsterdam Rotterdam
Nigeria:Lagos
Norway:Oslo Bergen
Pakistan:Karachi
Peru:Lima
Poland:Warsaw Krakow
Portugal:Lisbon Porto
Romania:Bucharest
Russia:Moscow
Scotland:Edinburgh Glasgow
Senegal:Dakar
Serbia:Belgrade
Spain:Madrid Barcelona Seville
Sweden:Stockholm
Switzerland:Bern Zurich Geneva Basel
Syria:Damascus
Thailand:Bangkok
Tunisia:Tunis
Turkey:Ankara Istanbul
Ukraine:Kyiv
Venezuela:Caracas
Vietnam:Hanoi
Wales:Cardiff
America:Washington Boston Chicago Dallas Detroit Houston Miami Seattle
""".strip().splitlines()}

CONTINENTS = ("Africa", "America", "Asia", "Europe", "Australia")
RIVERS = ("Amazon", "Danube", "Nile", "Rhine", "Seine", "Thames", "Volga")
NATIONALITIES = tuple("""
    African American Arabic Asian Australian Austrian Brazilian British Canadian Chinese Danish Dutch Egyptian English European Finnish
    French German Greek Indian Irish Italian Japanese Mexican Norwegian Polish Portuguese Russian Scottish Spanish Swedish Swiss Turkish
""".split())
