/**
 * The pages of /docs, in the order of its menu: the guides and what is needed to use, run and connect an installation. A
 * page is a Markdown file of the repository; its address follows from its path.
 */
export const groups = [
  {
    title: 'Use it',
    pages: [
      'docs/guides/agents.md',
      'docs/guides/customer-service.md',
      'docs/guides/members.md',
      'docs/screens.md',
      'docs/glossary.md',
    ],
  },
  {
    title: 'Run it',
    pages: [
      'docs/guides/administrators.md',
      'docs/guides/upgrade.md',
      'docs/guides/trouble.md',
      'docs/operations.md',
      'docs/operations/run.md',
      'docs/operations/database.md',
      'docs/operations/backup.md',
      'docs/operations/alerts.md',
      'docs/operations/copies.md',
      'docs/settings.md',
      'docs/commands.md',
      'docs/key.md',
      'docs/scale.md',
    ],
  },
  {
    title: 'Connect it',
    pages: ['docs/guides/integrators.md', 'docs/api.md', 'docs/widget.md', 'docs/bot.md'],
  },
  {
    title: 'Know more',
    pages: ['docs/approvals.md', 'docs/seal.md', 'docs/support.md', 'CHANGELOG.md', 'SECURITY.md'],
  },
]

/** The first page, which /docs/ shows. */
export const HOME = 'docs/README.md'

/** By the path of its source, the address of each page below /docs/. */
export const addresses = new Map(
  [HOME, ...groups.flatMap(({ pages }) => pages)].map((path) => [
    path,
    path === HOME
      ? 'index.html'
      : path
          .replace(/^docs\//, '')
          .replace(/\.md$/, '.html')
          .toLowerCase(),
  ]),
)
