import { ColorSwatch } from '@mantine/core'

/** The color of a series, next to its name. */
export function Swatch({ color }: { color: string }) {
  return <ColorSwatch component="span" color={color} size={10} radius={3} withShadow={false} aria-hidden />
}
