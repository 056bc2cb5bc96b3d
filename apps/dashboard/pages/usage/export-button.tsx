import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { IconDownload } from '../../icons/icons.ts'

const load = () => import('./export-menu.tsx')
const ExportMenu = lazyPart(load)
const ahead = () => void load().catch(() => undefined)

/** Exports the view as files. The menu's code is loaded when the user is about to open it. */
export function ExportButton() {
  const [isOpened, setOpened] = useState(false)
  const button = (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      aria-haspopup="menu"
      loading={isOpened}
      onPointerEnter={ahead}
      onFocus={ahead}
      onClick={() => setOpened(true)}
    >
      Export
    </Button>
  )
  if (!isOpened) return button
  return (
    <Suspense fallback={button}>
      <ExportMenu />
    </Suspense>
  )
}
