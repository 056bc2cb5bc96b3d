import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How all pages for people look, as CSS. */
export const pageStyle = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')
