import { client } from './client.mjs'
import { consolePage } from './console-page.mjs'
import { format } from './format.mjs'
import { language } from './language.mjs'
import { metaTool } from './meta-tool.mjs'
import { operation } from './operation.mjs'
import { setting } from './setting.mjs'
import { site } from './site.mjs'

/** How to add one of a kind, as data: CONTRIBUTING.md is written from it, and a test performs it. */
export const recipes = [format, site, language, client, metaTool, setting, operation, consolePage]
