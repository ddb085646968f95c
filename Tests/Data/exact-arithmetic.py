"""Writes the table of exact results: seeded, computed by Python's fractions."""
import random
from fractions import Fraction as F
r=random.Random(20)
def value():
    kind=r.randrange(6)
    if kind==0: return F(r.randint(-20,20))
    if kind==1: return F(r.randint(-2000,2000),100)
    if kind==2: return F(r.randint(-10**9,10**9),r.randint(1,10**5))
    if kind==3: return F(r.randint(-2**126,2**126),r.randint(1,2**126))
    if kind==4: return F(r.choice([-1,1])*(2**127-r.randint(0,2)),r.choice([1,3,2**64,2**127-1]))
    return F(r.randint(-2**300,2**300),r.randint(1,2**200))
rows=[]
while len(rows)<150:
    a,b=value(),value()
    order='<' if a<b else '>' if a>b else '='
    rows.append(' '.join(map(str,[a,b,a+b,a-b,a*b,a/b if b else 'nil',order])))
# around the edge of 128 bits
for a,b in [(2**127-1,1),(-(2**127-1),-1),(-(2**127),0),(2**127,-1),(2**126,2),(-(2**126),2),(2**64,2**63),(2**127-1,2**127-1)]:
    a,b=F(a),F(b)
    rows.append(' '.join(map(str,[a,b,a+b,a-b,a*b,a/b if b else 'nil','<' if a<b else '>' if a>b else '='])))
print('\n'.join(rows))
