"""Names, places and the like that fill the notes, too many to be guessed: they can only be copied."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """The words of a list that is written with spaces between them."""
    return text.split()


WOMEN = words("""Ada Agnes Alba Alice Amira Anita Anja Anouk Astrid Bella Bertha Bianca Bridget Carla Carmen Celia
Clara Cora Dagmar Daria Delia Dora Edda Edith Elena Elsa Emma Erika Esther Etta Fatima Fiona Flora
Freya Frida Gerda Gloria Greta Hanna Hazel Heidi Helen Hilda Ida Imani Ingrid Irene Iris Isla Ivy
Jana Joan Judith Julia Karen Katrin Lara Laura Lena Leila Linda Lotte Lucy Lydia Mabel Maren Marta
Maya Meena Mina Mira Monica Nadia Nina Nora Olga Olive Paula Petra Priya Rita Rosa Ruth Sara Selma
Silvia Sofia Stella Susan Sylvie Tamar Tessa Thea Tilda Una Ursula Vera Viola Wanda Wilma Yara
Yasmin Zelda Zoe""")
MEN = words("""Aaron Abel Adam Ahmed Alan Albert Anton Arthur Ben Bernard Boris Bruno Carlos Cedric Conrad Dan David
Denis Diego Edgar Edwin Emil Enzo Eric Ernest Felix Finn Frank Fred Gavin George Gilbert Gustav Hamid
Hans Harold Hector Henry Hugo Ian Igor Isaac Ivan Jack Jakob James Jan Jasper Jonas Josef Karim Karl
Kenji Klaus Kurt Lars Leo Leon Lewis Louis Lucas Luis Magnus Malik Marco Martin Max Milo Moritz
Nathan Neil Nico Noah Olaf Omar Oscar Otto Pablo Pascal Paul Pedro Peter Philip Ravi Rene Robert
Robin Rolf Roman Rudi Samuel Sean Simon Stefan Sven Theo Thomas Tobias Tom Ulrich Victor Walter
Werner Wilbur Yusuf""")
FAMILIES = words("""Abbott Ahlers Almeida Aziz Baker Baptiste Barlow Becker Bergman Blake Bose Brandt Brooks Calder
Carver Castro Chandra Clarke Cohen Cooper Dahl Delgado Dietz Donovan Drake Dubois Eklund Ellis
Endo Farkas Fischer Fletcher Flores Foster Fuchs Garner Gibbs Gomez Graham Gupta Haas Hale
Hansen Harper Hassan Hayes Holm Hoover Hughes Ibarra Ito Jansen Jensen Joyce Kaplan Keller Khan
Kim Kovacs Kramer Lang Larsen Lopez Lund Mackay Marsh Mbeki Mendes Meyer Moreau Morgan Nagy
Nakai Nash Novak Nunez Okafor Olsen Ortiz Osman Palmer Patel Perez Petit Pohl Price Quinn Ramos
Rao Reed Reyes Rossi Sato Schmitt Shaw Silva Singh Sommer Stone Suzuki Talbot Tanaka Toth Turner
Ueda Vargas Vogel Wagner Walsh Weber West Winter Wong Yilmaz Young Zeller""")
TOWNS = words("""Aldern Amberley Ashford Barnbury Bexfield Birchham Blackwell Bramley Brookside Burnham Caldbeck
Castleton Cherrywood Clayford Coldwater Cranfield Dalebrook Deerfield Dunmore Eastham Elmswell
Fairhaven Farnley Fernhill Foxbridge Glenfield Goldcrest Granby Greenhill Halden Harlow Hartwell
Hazelmere Highgate Holmfirth Inverton Kelford Kingsmead Lakeside Langport Larkfield Lindale
Longmoor Maplewood Marlow Meadowton Millbrook Newhaven Northgate Oakley Oldcastle Orchard Otterburn
Penrose Pinecrest Redcliff Ridgeway Rivermouth Rosedale Rowanby Saltmarsh Seaview Silverdale
Southwick Springfield Stonebridge Summerton Thornbury Underhill Valebrook Wakefield Waterford
Westbridge Whitby Willowdale Windermere Woodlands Wychwood Yarrow""")
MONTHS = words("January February March April May June July August September October November December")
FIRM_NAMES = words("""Bluebird Brightwell Cobalt Compass Daybreak Evergreen Fairwind Goldleaf Harbor Horizon
Keystone Lantern Lighthouse Meridian Moonrise Northstar Oakmont Pinnacle Quartz Redwood
Riverside Seagull Skylark Starling Summit Sunrise Tidewater Windmill Wildflower""")
FIRM_TRADES = words("""Tools Foods Textiles Printing Logistics Gardens Paper Ceramics Furniture Bakery Brewery
Bicycles Optics Toys Software Instruments Glass Timber Coffee Books""")
PROJECTS = words("""Acorn Anchor Atlas Aurora Beacon Bridge Canyon Cascade Comet Coral Delta Eagle Ember Falcon
Fjord Galaxy Glacier Granite Harvest Heron Ivory Jigsaw Jupiter Kestrel Lagoon Lotus Magnolia
Maple Mosaic Nimbus Nova Oasis Orbit Orchid Osprey Pebble Phoenix Prairie Quill Raven Sapphire
Sierra Sparrow Summit Tempest Thistle Topaz Tundra Vertex Willow Zephyr""")
