import type { SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke' | 'ref'> {
  /** In CSS pixels, both ways. */
  size?: number
  /** How wide a line is, of a drawing of 24 by 24. */
  stroke?: number
}

export type Icon = (props: IconProps) => React.JSX.Element

/** Lines. @param paths as in an SVG, of 24 by 24 */
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

/** Areas, which have no lines. @param paths as in an SVG, of 24 by 24 */
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
