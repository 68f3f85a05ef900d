import type { HandlersOf } from '../../http/operation.ts';
import type { ListDeps } from '../../http/page.ts';
import type { EditDeps } from '../edit-drafts.ts';
import type { PublishDeps } from '../publish.ts';
import { applyHandler } from './apply.ts';
import { applyDraftHandler } from './draft-apply.ts';
import { discardDraftsHandler } from './draft-discard.ts';
import { getDraftHandler } from './draft-get.ts';
import { type PreviewMenusDeps, previewMenusHandler } from './draft-menus.ts';
import { previewDraftsHandler } from './draft-preview.ts';
import { exportHandler } from './export.ts';
import { archiveObjectHandler } from './objects-archive.ts';
import { createObjectHandler } from './objects-create.ts';
import { discardObjectHandler } from './objects-discard.ts';
import { getObjectHandler } from './objects-get.ts';
import { listObjectsHandler } from './objects-list.ts';
import { unarchiveObjectHandler } from './objects-unarchive.ts';
import { updateObjectHandler } from './objects-update.ts';
import { planHandler } from './plan.ts';
import { getPublicationHandler } from './publications-get.ts';
import { listPublicationsHandler } from './publications-list.ts';
import { publishHandler } from './publications-publish.ts';
import { rollBackHandler } from './publications-roll-back.ts';
import { publishGroupHandler } from './publish-group.ts';
import { getTipWithholdingHandler } from './tip-withholding-get.ts';
import { setTipWithholdingHandler } from './tip-withholding-set.ts';

export type OfficeConfigurationDeps = EditDeps & ListDeps & PreviewMenusDeps & PublishDeps;

export const officeConfigurationHandlers = (
  deps: OfficeConfigurationDeps,
): HandlersOf<'backOffice.configuration.'> => ({
  'backOffice.configuration.objects.list': listObjectsHandler(deps),
  'backOffice.configuration.objects.create': createObjectHandler(deps),
  'backOffice.configuration.objects.get': getObjectHandler(deps),
  'backOffice.configuration.objects.update': updateObjectHandler(deps),
  'backOffice.configuration.objects.archive': archiveObjectHandler(deps),
  'backOffice.configuration.objects.unarchive': unarchiveObjectHandler(deps),
  'backOffice.configuration.objects.discard': discardObjectHandler(deps),
  'backOffice.configuration.tipWithholding.get': getTipWithholdingHandler(deps),
  'backOffice.configuration.tipWithholding.set': setTipWithholdingHandler(deps),
  'backOffice.configuration.draft.get': getDraftHandler(deps),
  'backOffice.configuration.draft.apply': applyDraftHandler(deps),
  'backOffice.configuration.draft.discard': discardDraftsHandler(deps),
  'backOffice.configuration.draft.preview': previewDraftsHandler(deps),
  'backOffice.configuration.draft.menus': previewMenusHandler(deps),
  'backOffice.configuration.publications.list': listPublicationsHandler(deps),
  'backOffice.configuration.publications.publish': publishHandler(deps),
  'backOffice.configuration.publications.get': getPublicationHandler(deps),
  'backOffice.configuration.publications.rollBack': rollBackHandler(deps),
  'backOffice.configuration.publishGroup': publishGroupHandler(deps),
  'backOffice.configuration.plan': planHandler(deps),
  'backOffice.configuration.apply': applyHandler(deps),
  'backOffice.configuration.export': exportHandler(deps),
});
