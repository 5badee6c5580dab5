import { menu } from './menu.ts'

/** Names of pictures that are not of a page of the menu, and their addresses. */
const others = {
  server: '/servers/github',
  tool: '/tools/tool?server=github&name=create_issue',
  search: '/tools?as=model',
}

const nameOf = (path: string) => (path === '/' ? 'overview' : path.slice(1))

/** The pictures of the manual, `NAME-light.png` and `NAME-dark.png`, and the address of each. */
export const pictures: Readonly<Record<string, string>> = {
  ...Object.fromEntries(menu.map(({ path }) => [nameOf(path), path])),
  ...others,
}

export const pictureFolder = 'docs/console'

export const themes = ['light', 'dark'] as const
