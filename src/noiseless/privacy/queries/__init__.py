"""Questions about n unrelated people, each with any value of a declared domain.

Every query knows its exact range, how far one person can move it, in how many monotone pieces, on which grid its values
lie, and how many bins of a quantizer one person can reach.
"""
