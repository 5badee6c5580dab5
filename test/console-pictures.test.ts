import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pictureFolder, pictures, themes } from './console/world/pictures.ts'

// They are taken in a browser with SCREENSHOTS=1, as CONTRIBUTING.md says.
test('every page of the menu of the console has a picture in each theme, and none is left over', () => {
  const wanted = Object.keys(pictures).flatMap((name) =>
    themes.map((theme) => `${name}-${theme}.png`),
  )
  const files = readdirSync(pictureFolder).filter((name) => name.endsWith('.png'))
  expect(files.sort()).toEqual(wanted.sort())
})
