import { json, page, type Service, startService } from './loopback-service.ts'
import { pageAt, pageHtml, pages } from './pages.ts'

const folder = '/en_us/aws/latest/userguide/'

/** The China partition: pages and lists of contents, no search. */
export const startAwsChina = (hasServices = true): Promise<Service> =>
  startService({
    isQuestion: () => false,
    answer({ path }) {
      if (path === `${folder}services.html`)
        return page(
          '<main><h1>Services</h1><p>Services differ in China.</p><ul><li>Endpoints end in .cn, see <a href="endpoints.html">endpoints</a>.</li></ul></main>',
        )
      if (path === `${folder}toc-contents.json`)
        return json({
          contents: [
            { title: 'Overview', href: 'overview.html' },
            {
              title: 'Services in China',
              href: hasServices ? 'services.html' : 'others.html',
              contents: [
                ...pages.map((one) => ({
                  title: one.title,
                  href: `${one.path}.html`,
                  contents: [{ title: `${one.title} differences`, href: `${one.path}-more.html` }],
                })),
                {
                  title: 'Services Unsupported in Amazon Web Services in China',
                  href: 'unsupported.html',
                },
              ],
            },
          ],
        })
      const found = pageAt(path, folder)
      return found && page(pageHtml(found))
    },
  })

export const chinaOptions = (url: string) => ({
  home: `${url}/`,
  servicesUrl: `${url}${folder}services.html`,
})
