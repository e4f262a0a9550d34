import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// As ours is built, so far as it is not ours alone.
const name = process.env.RIVAL ?? 'admin'
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
export default defineConfig({
  root: path(name),
  plugins: [react()],
  build: { outDir: path(`dist/${name}`), emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 5000 },
})
