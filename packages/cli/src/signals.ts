/** Aborted by Ctrl-C or a termination request, so that a run can end in good order; a second one ends it at once. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
