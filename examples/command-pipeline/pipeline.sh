# Learns from one stream of readings, then judges others.
set -euo pipefail

echo 'Learn from a pipe:'
node readings.js 3000 1 |
  halfspace train - --format csv --label state --rule averaged --model machine.model.json |
  grep 'Stopped\|of the training rows'

echo 'Evaluate on other readings, compressed:'
node readings.js 1000 2 | gzip > readings.csv.gz
halfspace evaluate machine.model.json readings.csv.gz | grep 'Right'

echo 'Judge readings without a state, and show the first faulty ones:'
node readings.js 500 3 | cut -d , -f 1-4 > today.csv
halfspace predict machine.model.json today.csv > classes.txt
tail -n +2 today.csv | paste -d , - classes.txt | grep ',faulty' | sed -n 1,3p
