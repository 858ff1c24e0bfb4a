"""How is a judge behind a network asked?"""
