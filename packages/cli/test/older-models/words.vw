-1 |c green blue |n size:1.17 
1 |c red blue deep |n size:-0.51 
-1 |c deep né |n size:0.73 
1 |c red né |n size:0.18 
-1 |c  |n size:-1.68 
1 |c red né |n size:-1.70 
1 |c red green blue deep né |n size:-0.27 
-1 |c blue né |n size:1.75 
1 |c red |n size:1.32 
-1 |c blue deep |n size:-0.36 
1 |c red blue deep |n size:0.29 
1 |c red green deep |n size:1.26 
-1 |c  |n size:-0.43 
-1 |c green |n size:-1.09 
1 |c red né |n size:-1.88 
-1 |c blue |n size:-0.18 
1 |c red blue deep |n size:-1.72 
1 |c red green deep né |n size:1.38 
1 |c red |n size:-1.07 
-1 |c green blue deep né |n size:0.81 
-1 |c blue né |n size:-0.00 
-1 |c blue deep |n size:-0.46 
-1 |c  |n size:1.20 
-1 |c green blue deep |n size:-0.62 
