import { readFileSync } from 'node:fs'

/** How all pages for people look, as CSS. */
export const pageStyle = readFileSync(new URL('style.css', import.meta.url), 'utf8')
