import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFiles } from './build/compress-files.ts'

/** Blocks rendering until the script has set the theme. Vite would drop the attribute from the source. */
const holdBack: Plugin = {
  name: 'hold-back',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
}

export default defineConfig({
  root: 'web',
  // Relative, so that a server or proxy may serve the page under a prefix.
  base: './',
  plugins: [react(), holdBack, compressFiles()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The Content-Security-Policy forbids data: URLs.
    assetsInlineLimit: 0,
    license: { fileName: 'third-party-notices.txt' },
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:7420' } },
})
