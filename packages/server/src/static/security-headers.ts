/** Sources that a page may use besides files of its own, by directive of the content policy. */
export type Sources = Readonly<Record<string, string>>;

/** The content policy of the page of a service: its own files and its own service, and nothing written into it. */
const strict: Sources = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Returns the headers that keep other sites from using a page, and the page from asking others. */
export function securityHeaders(sources: Sources = {}): Record<string, string> {
  const policy = Object.entries({ ...strict, ...sources }).map(([name, allowed]) => `${name} ${allowed}`);
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
