import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './state-badge.module.css'

interface StateBadgeProps {
  color: string
  /** Without a frame, where a column is full of them. */
  isBare?: boolean
  children: ReactNode
}

/** A state in a word or two, all of which are shown; its color says it again. */
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
