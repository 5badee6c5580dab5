import type { Element } from 'hast'
import { stringProperty } from './properties.ts'
import { collapse } from './text-of.ts'

/** The alternative text of an image, unless it is a file name. */
export function alternativeOf(image: Element): string | undefined {
  const alternative = collapse(stringProperty(image, 'alt') ?? '')
  return alternative === '' || saysNothing.test(alternative) ? undefined : alternative
}

/** The name of a file, or of what kind of picture it is. */
const saysNothing =
  /^(?:\S+\.(?:png|jpe?g|gif|svg|webp)|(?:an? )?(?:diagram|figure|graphic|icon|illustration|image|img|logo|photo|picture|screen ?shot|thumbnail)s?(?: \d+)?|画像|図|アイコン|ロゴ|スクリーンショット)$/i
