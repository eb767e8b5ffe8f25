import type { DefaultTheme } from 'vitepress';

/** Pages to look things up in. The bar at the top lists them, too. */
const reference = [
  page('The command', 'command'),
  page('The library', 'library'),
  page('Files', 'files'),
  page('Errors by code', 'errors'),
  page('Every public name', 'reference/'),
  page('Benchmarks', 'benchmarks'),
];

/** The pages in the order in which a run happens; what is looked up comes last. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start and data',
    items: [
      page('Start', 'start'),
      page('Coming from elsewhere', 'coming-from'),
      page('Tables', 'tables'),
      page('Other and large data', 'data'),
      page('Text and spam', 'guides/text'),
    ],
  },
  {
    text: 'Learn',
    items: [
      page('Choose a rule', 'guides/choose'),
      page('Bent numbers', 'guides/bend'),
      page('Rules and options', 'rules'),
      page('Several or rare classes', 'guides/classes'),
      page('Grow a tree', 'trees'),
      page('Streams and drift', 'online'),
    ],
  },
  {
    text: 'Judge and prove',
    items: [
      page('Judge a model', 'evaluation'),
      page('Probabilities', 'guides/probabilities'),
      page('Explain a decision', 'guides/explain'),
      page('Prove separability', 'certificates'),
      page('Check certificates', 'certificate-checkers'),
      page('Margins', 'margins'),
      page('Reproduce, record, forget', 'ledger'),
    ],
  },
  {
    text: 'Use, serve, scale',
    items: [
      page('Predict and deploy', 'predict'),
      page('Export and import', 'export'),
      page('Serve a model', 'service'),
      page('Keys and settings', 'service-settings'),
      page('On call', 'on-call'),
      page('Learn in shards', 'distributed'),
      page('Learn on Spark', 'spark'),
    ],
  },
  {
    text: 'Teach and extend',
    items: [
      page('The lab', 'browser-lab'),
      page('The lectures', 'lectures'),
      page('Gallery', 'gallery'),
      page('Architecture', 'architecture'),
    ],
  },
  { text: 'Reference', items: reference },
];

export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Start', link: '/start' },
  { text: 'Guides', link: '/tables' },
  { text: 'Reference', items: reference },
  { text: 'Benchmarks', link: '/benchmarks' },
  // The lab is no page of this site, so the browser opens it.
  { text: 'Lab', link: '/lab/', target: '_self' },
];

function page(text: string, name: string): { text: string; link: string } {
  return { text, link: `/${name}` };
}
