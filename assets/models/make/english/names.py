"""First names, from many languages, by the pronoun that the demo texts use for them."""

from english.nouns import words

SHE = words("""
    Ada Adele Agnes Aisha Alice Alma Amanda Amelia Amina Amy Andrea Angela Anita Anna Anne Anya Astrid Aya Barbara Beatrice Bella Bianca
    Carla Carmen Carol Caroline Catherine Cecilia Charlotte Chloe Christina Clara Claudia Daisy Dana Daria Deborah Diana Dora Dorothy Edith
    Elena Elise Eliza Elizabeth Ella Ellen Elsa Emily Emma Erika Esther Eva Eve Evelyn Fatima Fiona Flora Frances Freya Gabriela Gina Gloria
    Grace Greta Hana Hannah Harriet Heidi Helen Hilda Ida Ines Ingrid Irene Iris Isabel Ivana Jane Jasmine Jean Jenny Jessica Joan Johanna
    Josephine Joy Judith Julia Karen Karin Kate Keiko Lara Laura Layla Lea Leila Lena Lily Linda Lisa Louise Lucia Lucy Lydia Magda Maria
    Marta Martha Mary Maya Mei Mia Miriam Molly Monica Nadia Naomi Natalie Nina Nora Olga Olivia Paula Petra Priya Rachel Rita Rosa Ruth
    Sally Samira Sandra Sara Sarah Selma Sofia Sonia Sophie Stella Susan Sylvia Tamara Tanya Teresa Tina Ursula Valerie Vera Victoria Wendy
    Yasmin Yoko Zara Zoe
""")

HE = words("""
    Aaron Abdul Adam Adrian Ahmed Alan Albert Alex Alexander Ali Andrew Anton Arthur Axel Ben Benjamin Bernard Bill Bob Boris Brian Bruno
    Carl Carlos Charles Chris Christopher Colin Daniel David Dennis Diego Dmitri Edgar Edward Emil Eric Ethan Felix Finn Francis Frank Fred
    Gabriel George Gustav Hamid Hans Harold Harry Hassan Henry Hugo Ian Ibrahim Igor Isaac Ivan Jack Jacob Jakob James Jan Jim Joe Joel John
    Jonas Jorge Jose Joseph Juan Julian Kai Karim Karl Keith Kenji Kevin Kurt Lars Leo Leon Lewis Liam Louis Luca Lucas Luis Luke Magnus
    Marco Marcus Mark Martin Mateo Matthew Max Michael Miguel Mohamed Nathan Neil Nicholas Noah Oliver Omar Oscar Otto Pablo Patrick Paul
    Pedro Peter Philip Pierre Rafael Ravi Richard Robert Robin Roger Ryan Sam Samuel Sanjay Sebastian Sergei Simon Stefan Stephen Steve Theo
    Thomas Tim Tobias Tom Tony Victor Viktor Vincent Walter Will William Yusuf
""")

FAMILIES = words("""
    Baker Bell Brown Carter Clark Cooper Davies Evans Field Fisher Green Hall Harris Hill Hughes Jackson Johnson Jones King Lane Marsh
    Martin Mason Miller Moore Parker Rivers Roberts Smith Stone Taylor Turner Walker White Williams Winter Wood Wright Young
""")
