import { UnstyledButton } from '@mantine/core'
import { Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { lazyPart } from '../components/lazy-part.tsx'

interface LazyMenuProps {
  className: string | undefined
  /** The content of the button. */
  children: ReactNode
}

/**
 * A button whose menu's code is loaded when the user is about to open it.
 * @param load loads a component that shows the button with its menu open
 */
export function lazyMenu(
  load: () => Promise<{ default: ComponentType<{ children: ReactNode }> }>,
): ComponentType<LazyMenuProps> {
  const Opened = lazyPart(load)
  const ahead = () => void load().catch(() => undefined)
  return function LazyMenu({ className, children }: LazyMenuProps) {
    const [isOpened, setOpened] = useState(false)
    const button = (
      <UnstyledButton
        className={className}
        aria-haspopup="menu"
        aria-busy={isOpened}
        onPointerEnter={ahead}
        onFocus={ahead}
        onClick={() => setOpened(true)}
      >
        {children}
      </UnstyledButton>
    )
    if (!isOpened) return button
    return (
      <Suspense fallback={button}>
        <Opened>{children}</Opened>
      </Suspense>
    )
  }
}
