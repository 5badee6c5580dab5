import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const conditions = ['@pith-mcp/source']

/** One test project per workspace package, all resolving siblings from source. */
const projects = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(folder).map((name) => ({
    extends: true as const,
    test: { name, root: `${folder}/${name}` },
  })),
)

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [...projects, { extends: true, test: { name: 'repo', include: ['test/**'] } }],
  },
})
