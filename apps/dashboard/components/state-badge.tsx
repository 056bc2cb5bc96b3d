import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './state-badge.module.css'

interface StateBadgeProps {
  color: string
  /** Without a frame, for columns full of badges. */
  isBare?: boolean
  children: ReactNode
}

/** A state in a word or two, never cut; the color repeats it. */
export function StateBadge({ color, isBare = false, children }: StateBadgeProps) {
  return (
    <Badge
      variant="dot"
      color={color}
      tt="none"
      fw={500}
      radius="sm"
      classNames={{ root: classes.root, label: classes.label }}
      {...(isBare && { px: 0, bd: 'none', bg: 'transparent' })}
    >
      {children}
    </Badge>
  )
}
