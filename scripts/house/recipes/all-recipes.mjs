import { client } from './client.mjs'
import { language } from './language.mjs'
import { setting } from './setting.mjs'

/** How to add one of a kind, as data: CONTRIBUTING.md is written from it, and a test performs it. */
export const recipes = [setting, language, client]
