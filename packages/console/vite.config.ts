import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'

export default defineConfig({
  root: 'web',
  plugins: [react(), compressFiles()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The page's rules forbid data in scripts and styles.
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.txt' },
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:7420' } },
})
