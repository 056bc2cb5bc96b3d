import { expect, test } from 'vitest'
import { cssVariables, theme } from './theme.ts'

// A browser test would only see the color of an improvement on a day that has one.
test('every text color has the contrast that WCAG 2.2 requires (1.4.3), in both themes', () => {
  const themes = cssVariables(theme as Parameters<typeof cssVariables>[0])
  for (const scheme of ['light', 'dark'] as const) {
    const colors: Record<string, string> = themes[scheme]
    const color = (name: string) => colors[name] ?? ''
    for (const text of ['text', 'dimmed', 'placeholder', 'error', 'success', 'anchor'])
      for (const ground of ['--mantine-color-body', '--page-ground']) {
        const contrast = contrastOf(color(`--mantine-color-${text}`), color(ground))
        expect(contrast, `${scheme}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }
  }
})

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminanceOf(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [red, green, blue] = channels.map((one) =>
    one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
