import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type AnchorRest = Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>
type ButtonRest = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>

/** A link to a page of the dashboard, as text. */
export const PageLink = createLink((props: AnchorProps & AnchorRest) => <Anchor size="sm" {...props} />)

/** A link to a page of the dashboard, as a button. */
export const PageButton = createLink((props: ButtonProps & ButtonRest) => <Button component="a" {...props} />)
