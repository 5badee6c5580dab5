import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFiles } from './build/compress-files.ts'

/** Nothing is painted before the script has chosen the theme; Vite drops the attribute. */
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
  // Whoever serves the page says where its files are: it may stand under a prefix.
  base: './',
  plugins: [react(), holdBack, compressFiles()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The page's rules forbid data in scripts and styles.
    assetsInlineLimit: 0,
    license: { fileName: 'third-party-notices.txt' },
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:7420' } },
})
