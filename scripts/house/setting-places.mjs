import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Places that declare a setting of an app: its line in the table `src/settings.ts`, and lines
 * elsewhere that have its flag or its variable as a literal of their own. Sentences that mention it
 * do not count.
 */
export function settingPlaces() {
  return readdirSync('apps')
    .filter((app) => existsSync(`apps/${app}/src/settings.ts`))
    .flatMap((app) => {
      const prefix = app.toUpperCase().replaceAll('-', '_')
      const table = readFileSync(`apps/${app}/src/settings.ts`, 'utf8')
      const elsewhere = linesElsewhere(`apps/${app}/src`)
      return [...table.matchAll(/^ {2}(\w+): \{ type/gm)].map(([, name]) => {
        const flag = words(name, '-').toLowerCase()
        const variable = `${prefix}_${words(name, '_').toUpperCase()}`
        const spellings = flag.includes('-') ? [`'${flag}'`, `'${variable}'`] : [`'${variable}'`]
        const others = elsewhere.filter((line) => spellings.some((one) => line.includes(one)))
        return { app, name, places: 1 + others.length }
      })
    })
}

const words = (name, separator) => name.replace(/[A-Z]/g, (letter) => `${separator}${letter}`)

const linesElsewhere = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'settings.ts')
    .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n'))
