import { filledIcon, outlineIcon } from './draw.tsx'

/*
 * The icons of the pages, drawn by Tabler Icons 3.51.0 (https://tabler.io/icons; MIT, see LICENSE). They
 * are copied, because the package of all 6,000 icons has 90 MB, a sixth of the first start's download.
 */

export const IconActivity = outlineIcon('M3 12h4l3 8l4 -16l3 8h4')
export const IconAdjustments = outlineIcon(
  'M4 10a2 2 0 1 0 4 0a2 2 0 0 0 -4 0',
  'M6 4v4',
  'M6 12v8',
  'M10 16a2 2 0 1 0 4 0a2 2 0 0 0 -4 0',
  'M12 4v10',
  'M12 18v2',
  'M16 7a2 2 0 1 0 4 0a2 2 0 0 0 -4 0',
  'M18 4v1',
  'M18 9v11',
)
export const IconAlertTriangle = outlineIcon(
  'M12 9v4',
  `M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87
  l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0`,
  'M12 16h.01',
)
export const IconArrowDown = outlineIcon('M12 5l0 14', 'M18 13l-6 6', 'M6 13l6 6')
export const IconArrowLeft = outlineIcon('M5 12l14 0', 'M5 12l6 6', 'M5 12l6 -6')
export const IconArrowRight = outlineIcon('M5 12l14 0', 'M13 18l6 -6', 'M13 6l6 6')
export const IconArrowUp = outlineIcon('M12 5l0 14', 'M18 11l-6 -6', 'M6 11l6 -6')
export const IconArrowsRightLeft = outlineIcon(
  'M21 7l-18 0',
  'M18 10l3 -3l-3 -3',
  'M6 20l-3 -3l3 -3',
  'M3 17l18 0',
)
export const IconBook = outlineIcon(
  'M3 19a9 9 0 0 1 9 0a9 9 0 0 1 9 0',
  'M3 6a9 9 0 0 1 9 0a9 9 0 0 1 9 0',
  'M3 6l0 13',
  'M12 6l0 13',
  'M21 6l0 13',
)
export const IconCalendar = outlineIcon(
  'M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12',
  'M16 3v4',
  'M8 3v4',
  'M4 11h16',
)
export const IconChartBar = outlineIcon(
  'M3 13a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -6',
  'M15 9a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -10',
  'M9 5a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -14',
  'M4 20h14',
)
export const IconCheck = outlineIcon('M5 12l5 5l10 -10')
export const IconChevronsLeft = outlineIcon('M11 7l-5 5l5 5', 'M17 7l-5 5l5 5')
export const IconCircleCheck = outlineIcon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0', 'M9 12l2 2l4 -4')
export const IconClockX = outlineIcon(
  'M20.926 13.15a9 9 0 1 0 -7.835 7.784',
  'M12 7v5l2 2',
  'M22 22l-5 -5',
  'M17 22l5 -5',
)
export const IconCoin = outlineIcon(
  'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0',
  'M14.8 9a2 2 0 0 0 -1.8 -1h-2a2 2 0 1 0 0 4h2a2 2 0 1 1 0 4h-2a2 2 0 0 1 -1.8 -1',
  'M12 7v10',
)
export const IconCopy = outlineIcon(
  `M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666
  a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666`,
  'M4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1',
)
export const IconCreditCard = outlineIcon(
  'M3 8a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v8a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -8',
  'M3 10l18 0',
  'M7 15l.01 0',
  'M11 15l2 0',
)
export const IconCube = outlineIcon(
  `M21 16.008v-8.018a1.98 1.98 0 0 0 -1 -1.717l-7 -4.008a2.016 2.016 0 0 0 -2 0l-7 4.008
  c-.619 .355 -1 1.01 -1 1.718v8.018c0 .709 .381 1.363 1 1.717l7 4.008a2.016 2.016 0 0 0 2 0
  l7 -4.008c.619 -.355 1 -1.01 1 -1.718`,
  'M12 22v-10',
  'M12 12l8.73 -5.04',
  'M3.27 6.96l8.73 5.04',
)
export const IconDeviceDesktop = outlineIcon(
  'M3 5a1 1 0 0 1 1 -1h16a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1v-10',
  'M7 20h10',
  'M9 16v4',
  'M15 16v4',
)
export const IconDots = outlineIcon(
  'M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M18 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
)
export const IconDownload = outlineIcon(
  'M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2',
  'M7 11l5 5l5 -5',
  'M12 4l0 12',
)
export const IconExternalLink = outlineIcon(
  'M12 6h-6a2 2 0 0 0 -2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-6',
  'M11 13l9 -9',
  'M15 4h5v5',
)
export const IconFilter = outlineIcon(
  'M4 4h16v2.172a2 2 0 0 1 -.586 1.414l-4.414 4.414v7l-6 2v-8.5l-4.48 -4.928a2 2 0 0 1 -.52 -1.345v-2.227',
)
export const IconHome = outlineIcon(
  'M5 12l-2 0l9 -9l9 9l-2 0',
  'M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-7',
  'M9 21v-6a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v6',
)
export const IconKey = outlineIcon(
  `M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1 -4.069 0
  l-.301 -.301l-6.558 6.558a2 2 0 0 1 -1.239 .578l-.175 .008h-1.172a1 1 0 0 1 -.993 -.883
  l-.007 -.117v-1.172a2 2 0 0 1 .467 -1.284l.119 -.13l.414 -.414h2v-2h2v-2l2.144 -2.144
  l-.301 -.301a2.877 2.877 0 0 1 0 -4.069l2.643 -2.643a2.877 2.877 0 0 1 4.069 0`,
  'M15 9h.01',
)
export const IconListDetails = outlineIcon(
  'M13 5h8',
  'M13 9h5',
  'M13 15h8',
  'M13 19h5',
  'M3 5a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -4',
  'M3 15a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -4',
)
export const IconListNumbers = outlineIcon(
  'M11 6h9',
  'M11 12h9',
  'M12 18h8',
  'M4 16a2 2 0 1 1 4 0c0 .591 -.5 1 -1 1.5l-3 2.5h4',
  'M6 10v-6l-2 2',
)
export const IconLogout = outlineIcon(
  'M14 8v-2a2 2 0 0 0 -2 -2h-7a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2 -2v-2',
  'M9 12h12l-3 -3',
  'M18 15l3 -3',
)
export const IconMessage = outlineIcon(
  'M8 9h8',
  'M8 13h6',
  'M18 4a3 3 0 0 1 3 3v8a3 3 0 0 1 -3 3h-5l-5 3v-3h-2a3 3 0 0 1 -3 -3v-8a3 3 0 0 1 3 -3h12',
)
export const IconMoon = outlineIcon(
  'M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1 -8.313 -12.454l0 .008',
)
export const IconPlayerStopFilled = filledIcon(
  'M17 4h-10a3 3 0 0 0 -3 3v10a3 3 0 0 0 3 3h10a3 3 0 0 0 3 -3v-10a3 3 0 0 0 -3 -3z',
)
export const IconPlugConnected = outlineIcon(
  'M7 12l5 5l-1.5 1.5a3.536 3.536 0 1 1 -5 -5l1.5 -1.5',
  'M17 12l-5 -5l1.5 -1.5a3.536 3.536 0 1 1 5 5l-1.5 1.5',
  'M3 21l2.5 -2.5',
  'M18.5 5.5l2.5 -2.5',
  'M10 11l-2 2',
  'M13 14l-2 2',
)
export const IconPlugConnectedX = outlineIcon(
  'M20 16l-4 4',
  'M7 12l5 5l-1.5 1.5a3.536 3.536 0 1 1 -5 -5l1.5 -1.5',
  'M17 12l-5 -5l1.5 -1.5a3.536 3.536 0 1 1 5 5l-1.5 1.5',
  'M3 21l2.5 -2.5',
  'M18.5 5.5l2.5 -2.5',
  'M10 11l-2 2',
  'M13 14l-2 2',
  'M16 16l4 4',
)
export const IconPlus = outlineIcon('M12 5l0 14', 'M5 12l14 0')
export const IconPrinter = outlineIcon(
  'M17 17h2a2 2 0 0 0 2 -2v-4a2 2 0 0 0 -2 -2h-14a2 2 0 0 0 -2 2v4a2 2 0 0 0 2 2h2',
  'M17 9v-4a2 2 0 0 0 -2 -2h-6a2 2 0 0 0 -2 2v4',
  'M7 15a2 2 0 0 1 2 -2h6a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-6a2 2 0 0 1 -2 -2l0 -4',
)
export const IconReceipt = outlineIcon(
  'M5 21v-16a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v16l-3 -2l-2 2l-2 -2l-2 2l-2 -2l-3 2m4 -14h6m-6 4h6m-2 4h2',
)
export const IconRefresh = outlineIcon(
  'M20 11a8.1 8.1 0 0 0 -15.5 -2m-.5 -4v4h4',
  'M4 13a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4',
)
export const IconScale = outlineIcon(
  'M7 20l10 0',
  'M6 6l6 -1l6 1',
  'M12 3l0 17',
  'M9 12l-3 -6l-3 6a3 3 0 0 0 6 0',
  'M21 12l-3 -6l-3 6a3 3 0 0 0 6 0',
)
export const IconSearch = outlineIcon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0', 'M21 21l-6 -6')
export const IconSettings = outlineIcon(
  `M10.325 4.317c.426 -1.756 2.924 -1.756 3.35 0a1.724 1.724 0 0 0 2.573 1.066
  c1.543 -.94 3.31 .826 2.37 2.37a1.724 1.724 0 0 0 1.065 2.572c1.756 .426 1.756 2.924 0 3.35
  a1.724 1.724 0 0 0 -1.066 2.573c.94 1.543 -.826 3.31 -2.37 2.37a1.724 1.724 0 0 0 -2.572 1.065
  c-.426 1.756 -2.924 1.756 -3.35 0a1.724 1.724 0 0 0 -2.573 -1.066
  c-1.543 .94 -3.31 -.826 -2.37 -2.37a1.724 1.724 0 0 0 -1.065 -2.572
  c-1.756 -.426 -1.756 -2.924 0 -3.35a1.724 1.724 0 0 0 1.066 -2.573
  c-.94 -1.543 .826 -3.31 2.37 -2.37c1 .608 2.296 .07 2.572 -1.065`,
  'M9 12a3 3 0 1 0 6 0a3 3 0 0 0 -6 0',
)
export const IconSun = outlineIcon(
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'M3 12h1m8 -9v1m8 8h1m-9 8v1m-6.4 -15.4l.7 .7m12.1 -.7l-.7 .7m0 11.4l.7 .7m-12.1 -.7l-.7 .7',
)
export const IconTrash = outlineIcon(
  'M4 7l16 0',
  'M10 11l0 6',
  'M14 11l0 6',
  'M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2 -2l1 -12',
  'M9 7v-3a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v3',
)
export const IconUserCog = outlineIcon(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0',
  'M6 21v-2a4 4 0 0 1 4 -4h2.5',
  'M17.001 19a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'M19.001 15.5v1.5',
  'M19.001 21v1.5',
  'M22.032 17.25l-1.299 .75',
  'M17.27 20l-1.3 .75',
  'M15.97 17.25l1.3 .75',
  'M20.733 20l1.3 .75',
)
export const IconUsers = outlineIcon(
  'M5 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'M3 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2',
  'M16 3.13a4 4 0 0 1 0 7.75',
  'M21 21v-2a4 4 0 0 0 -3 -3.85',
)
export const IconX = outlineIcon('M18 6l-12 12', 'M6 6l12 12')
export const IconCode = outlineIcon('M7 8l-4 4l4 4', 'M17 8l4 4l-4 4', 'M14 4l-4 16')
export const IconFile = outlineIcon(
  'M14 3v4a1 1 0 0 0 1 1h4',
  'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2',
)
export const IconHistory = outlineIcon('M12 8l0 4l2 2', 'M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5')
export const IconPaperclip = outlineIcon(
  `M15 7l-6.5 6.5a1.5 1.5 0 0 0 3 3l6.5 -6.5a3 3 0 0 0 -6 -6l-6.5 6.5a4.5 4.5 0 0 0 9 9l6.5
  -6.5`,
)
export const IconTool = outlineIcon(
  'M7 10h3v-3l-3.5 -3.5a6 6 0 0 1 8 8l6 6a2 2 0 0 1 -3 3l-6 -6a6 6 0 0 1 -8 -8l3.5 3.5',
)
export const IconSelector = outlineIcon('M8 9l4 -4l4 4', 'M16 15l-4 4l-4 -4')
export const IconFolder = outlineIcon(
  'M5 4h4l3 3h7a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-11a2 2 0 0 1 2 -2',
)
export const IconBuilding = outlineIcon(
  'M3 21l18 0',
  'M9 8l1 0',
  'M9 12l1 0',
  'M9 16l1 0',
  'M14 8l1 0',
  'M14 12l1 0',
  'M14 16l1 0',
  'M5 21v-16a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v16',
)
export const IconGauge = outlineIcon(
  'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0',
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M13.41 10.59l2.59 -2.59',
  'M7 12a5 5 0 0 1 5 -5',
)
export const IconBell = outlineIcon(
  'M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3h-16a4 4 0 0 0 2 -3v-3a7 7 0 0 1 4 -6',
  'M9 17v1a3 3 0 0 0 6 0v-1',
)
