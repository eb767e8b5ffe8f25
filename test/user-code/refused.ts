/*
 * Code of users that must not compile: an error is expected in each statement, with every version of TypeScript. It is
 * never run.
 */
import { csv, type Model, OnlineClassifier, Predictor, rows, train } from 'halfspace';
import { ServiceClient } from 'halfspace-server/client';

declare const model: Model;
declare const unknown: unknown;
declare const maybe: { a: number } | undefined;
declare const mail: { a: number } | string;
const predictor = new Predictor(model);
const online = new OnlineClassifier();

// @ts-expect-error A text is no row.
predictor.predict('text');
// @ts-expect-error Neither is a number,
predictor.predict(1);
// @ts-expect-error nothing,
predictor.predict(null);
// @ts-expect-error nothing,
predictor.predict(undefined);
// @ts-expect-error a truth,
predictor.predict(true);
// @ts-expect-error a large number,
predictor.predict(1n);
// @ts-expect-error a list of anything but numbers,
predictor.predict(['a', 'b']);
// @ts-expect-error of some that are none,
predictor.predict([1, '2']);
// @ts-expect-error of rows,
predictor.predict([{ a: 1 }]);
// @ts-expect-error of large numbers,
predictor.predict(new BigInt64Array(2));
// @ts-expect-error a map,
predictor.predict(new Map([['a', 1]]));
// @ts-expect-error a set,
predictor.predict(new Set([1]));
// @ts-expect-error a date,
predictor.predict(new Date());
// @ts-expect-error a row that was not awaited,
predictor.predict(Promise.resolve({ a: 1 }));
// @ts-expect-error memory,
predictor.predict(new ArrayBuffer(8));
// @ts-expect-error a function,
predictor.predict(() => 1);
// @ts-expect-error a class,
predictor.predict(Predictor);
// @ts-expect-error something that is not known,
predictor.predict(unknown);
// @ts-expect-error a row that may be absent,
predictor.predict(maybe);
// @ts-expect-error or what may be a text.
predictor.predict(mail);
// @ts-expect-error There is one row,
predictor.predict();
// @ts-expect-error and two ways to predict.
predictor.predict({ a: 1 }, 'probabilities');
// @ts-expect-error The same holds for the other questions,
predictor.score('text');
// @ts-expect-error each
predictor.scores(['a']);
// @ts-expect-error of
predictor.probabilities(new Date());
// @ts-expect-error which
predictor.explain(null);
// @ts-expect-error takes
predictor.unknownFields(5);
// @ts-expect-error a row,
online.predict(['a']);
// @ts-expect-error and for learning,
online.learn('text', 'x');
// @ts-expect-error with a label
online.learn({ a: 1 });
// @ts-expect-error that is present,
online.learn({ a: 1 }, null);
// @ts-expect-error from one row
online.learnMany({ a: 1 }, ['x']);
// @ts-expect-error or many.
online.learnMany(['x'], ['x']);
// @ts-expect-error A service takes the same rows.
new ServiceClient('http://127.0.0.1').model('m').predict(['a']);
// @ts-expect-error A service with a type of rows takes these only.
new ServiceClient('http://127.0.0.1').model<{ size: number }>('m').predict({ sise: 1 });
// @ts-expect-error There is no such option,
train(csv('x'), { passes: 2, ruel: 'averaged' });
// @ts-expect-error no such rule,
train(csv('x'), { rule: 'averagd' });
// @ts-expect-error no such option of the rule,
train(csv('x'), { rule: { name: 'sgd', margin: 1 } });
// @ts-expect-error no such value,
train(csv('x'), { calibrate: 'plat' });
// @ts-expect-error no such field as label,
rows([{ a: 1, b: 2 }], { label: 'c' });
// @ts-expect-error and none of that name.
rows([{ a: 1, b: 2 }], { features: { columns: { c: { kind: 'number' } } } });
