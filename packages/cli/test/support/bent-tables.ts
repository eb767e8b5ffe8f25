import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes tables with numbers that are bent: `two.csv` and `three.csv` with two and three classes, missing values and
 * words among the numbers, and `crossed.csv`, where two numbers matter only together.
 */
export function writeCurves(folder: string): void {
  const rows = Array.from({ length: 600 }, (_, i) => {
    const heat = ((i * 37) % 400) / 10;
    const size = (i * 7919) % 1000;
    const place = ['<north>', 'south & east', 'west'][i % 3]!;
    const week = new Date(Date.UTC(2019, 0, 1 + 7 * ((i * 131) % 200))).toISOString().slice(0, 10);
    const cells = [i % 11 === 0 ? '' : heat, i % 13 === 0 ? 'unknown' : size, place, week];
    const noisy = (i * 61) % 10 === 0;
    return { cells, heat, size, fine: (heat > 10 && heat < 25) !== noisy };
  });
  const table = (name: string, labelOf: (row: (typeof rows)[number]) => string) =>
    writeFileSync(
      join(folder, name),
      `heat,size,place,week,class\n${rows.map((row) => `${row.cells.join()},${labelOf(row)}\n`).join('')}`,
    );
  table('two.csv', ({ fine }) => (fine ? 'alive' : 'dead'));
  table('three.csv', ({ fine, size }) => (fine ? 'alive' : size > 500 ? 'large & dead' : 'dead'));
  table('crossed.csv', ({ heat, size }) => (heat > 20 === size > 500 ? 'same' : 'other'));
}
