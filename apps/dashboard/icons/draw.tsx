import type { SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke' | 'ref'> {
  /** Width and height in CSS pixels. */
  size?: number
  /** The stroke width, in units of the 24 by 24 drawing. */
  stroke?: number
}

export type Icon = (props: IconProps) => React.JSX.Element

/**
 * An icon of strokes.
 * @param paths SVG paths in a 24 by 24 box
 */
export function outlineIcon(...paths: string[]): Icon {
  return ({ size = 24, stroke = 2, ...rest }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      {drawPaths(paths)}
    </svg>
  )
}

/**
 * An icon of filled areas.
 * @param paths SVG paths in a 24 by 24 box
 */
export function filledIcon(...paths: string[]): Icon {
  return ({ size = 24, stroke = 0, ...rest }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" strokeWidth={stroke} {...rest}>
      {drawPaths(paths)}
    </svg>
  )
}

function drawPaths(paths: string[]) {
  return paths.map((path) => <path key={path} d={path} />)
}
