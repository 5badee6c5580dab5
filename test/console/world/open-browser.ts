import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The path of Chromium on this machine; undefined if it is not installed. */
export const browserPath: string | undefined = [
  process.env['CHROME_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  chromium.executablePath(),
].find((path) => path !== undefined && path !== '' && existsSync(path))

export const noBrowser = 'no Chromium here: set CHROME_PATH, or install one'

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(browserPath !== undefined && { executablePath: browserPath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
