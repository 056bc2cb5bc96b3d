import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { IconArrowLeft } from '../icons/icons.ts'

type Rest = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>

/** A link above a page, back to its list. */
export const BackLink = createLink(({ children, ...props }: AnchorProps & Rest) => (
  <Anchor size="sm" mb="xs" display="inline-block" {...props}>
    <IconArrowLeft size={14} aria-hidden /> {children}
  </Anchor>
))
