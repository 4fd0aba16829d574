### Texts of the pages in Korean.

## The language

language-name = 한국어

## Layout of every page

skip-to-content = 본문 바로가기
navigation = 주 메뉴
menu = 메뉴
nav-apps = 연결된 앱
nav-account = 내 계정
nav-keys = API 키
nav-data = 학교 데이터
nav-applications = 애플리케이션
nav-clients = 클라이언트
nav-develop = 개발자
nav-requests = 요청 조회
nav-admin = 관리
nav-people = 사용자
nav-all-keys = 모든 API 키
nav-all-applications = 모든 애플리케이션
nav-all-clients = 모든 클라이언트
nav-audit = 감사 로그
sign-out = 로그아웃

## Words and buttons of several pages

cancel = 취소
save = 저장
edit = 수정
rename = 이름 바꾸기
delete = 삭제
create = 추가
show = 보기
search = 검색
apply-filters = 적용
copy = 복사
copied = 복사했어요
revoke-access = 연결 끊기
revoke-access-of = { $client } 연결 끊기
remove-scope = 회수
remove-scope-from = { $client }에서 권한 회수
owner = 소유자
a-developer = 우리 학교 개발자
nobody = 없음
none = 없음
never = 없음
state = 상태
created = 만든 날
expires = 만료일
until = { $time }까지
since = 연결한 날
last-used = 마지막 사용
when = 일시
day = 날짜
details = 상세
role = 역할
email = 이메일 주소
password = 비밀번호
show-password = 비밀번호 표시
reveal = 표시
network-address = IP 주소
request-id = 요청 ID
clear-filters = 초기화
more-filters = 필터 더 보기
nothing-found = 검색 결과가 없어요.
pages = 페이지
page-of = { $page }페이지
entries = 모두 { $count }건
people = 모두 { $count }명
previous-page = 이전
next-page = 다음
form-has-faults = 저장하지 못했어요. 표시된 항목을 확인해 주세요.
error-prefix = 오류:
form-field =
    .addresses = 이메일 주소
    .client_id = 클라이언트 ID
    .description = 설명
    .description_translations = 다른 언어로 쓴 설명
    .email = 이메일 주소
    .file = 파일
    .match_by = 추가로 비교할 열
    .name = 이름
    .name_translations = 다른 언어로 쓴 이름
    .new_password = 새 비밀번호
    .old_password = 현재 비밀번호
    .overlap = 이전 값
    .owner = 소유자
    .password = 비밀번호
    .policy = 인증 방식
    .policy_uri = 개인정보처리방침
    .rate_burst = 순간 최대 요청 수
    .rate_limit = 기간당 요청 수
    .rate_window = 기간(초)
    .redirect_uris = 리디렉션 URI
    .repeated = 새 비밀번호 확인
    .role = 역할
    .scope_name = 이름
    .scopes = 권한

## Sign-in, consent and error pages of an authorization

sign-in = 로그인
confirm-identity = 비밀번호 확인
confirm-identity-button = 확인
continue-to = { $client } 앱을 사용하려면 로그인해 주세요.
use-account-of = { $school } 계정의 이메일 주소와 비밀번호를 입력해 주세요.
use-school-account = 학교 계정의 이메일 주소와 비밀번호를 입력해 주세요.
help-at = 도움이 필요한가요? { $support }
forgotten-password-at = 비밀번호를 잊었다면 { $support }에 문의해 주세요.
forgotten-password = 비밀번호를 잊었다면 학교에 재설정을 요청해 주세요.
minutes-to-sign-in = { $minutes }분 안에 로그인해 주세요.
minutes-to-decide = { $minutes }분 안에 결정해 주세요.
time-is-up = 시간이 초과됐어요. 앱으로 돌아가 다시 시도해 주세요.
allow-question = { $client } 앱이 내 학교 계정에 접근하도록 허용할까요?
allow-question-of = { $client } 앱이 내 { $school } 계정에 접근하도록 허용할까요?
registered-by = { $owner } 님이 만든 앱
registered-by-school = 학교에서 만든 앱
asks-to = { $client } 앱이 할 수 있는 일
asks-anew = 새로 요청하는 권한
allowed-before = 이미 허용한 권한 { $count }개
new-mark = 새 권한
of-application = { $application } 제공
self-read-fields = 이메일 주소와 역할이 포함돼요. 학생이면 이름, 성별, 학년과 반, 학번, 학과, 특기 분야, 학생 구분, 기숙사 호실, 동아리, GitHub 계정도 포함돼요.
privacy-policy-of = { $client } 개인정보처리방침
other-account = 다른 계정으로 로그인
switch-account-label = 계정 전환
switch-account = 전환
continue-as = { $account } 계정으로 계속하기
not-you = 내 계정이 아닌가요?
keep-signed-in = 로그인 상태 유지
keep-signed-in-hint = 개인 기기에서만 선택해 주세요. 선택하지 않으면 브라우저를 닫을 때 로그아웃돼요.
allow = 허용
deny = 거부
then-back-to = 선택하면 { $destination } 주소로 이동해요.
revoke-any-time = 연결은 언제든지 끊을 수 있어요.
error-start-again = 다시 시작해 주세요
error-nothing-here = 페이지를 찾을 수 없어요
error-try-later = 나중에 다시 시도해 주세요
error-went-wrong = 문제가 생겼어요
error-cannot-go-on = 로그인을 계속할 수 없어요
error-not-allowed = 접근 권한이 없어요
invalid-request = 연결을 요청한 앱이 잘못된 요청을 보냈어요. 앱으로 돌아가 다시 시도해 주세요. 문제가 계속되면 앱 개발자에게 아래 내용을 알려 주세요.
tell-this-id = 도움을 요청할 때는 이 요청 ID를 알려 주세요:
to-the-start = 홈으로 가기

## The start page

home-title = 홈
hello = 안녕하세요, { $name } 님
nothing-needs-attention = 지금 확인할 일이 없어요.
home-waiting-title = 승인 대기
home-waiting = 검토할 항목 { $count }건
home-review = { $name } 검토
home-show-all = { $count }건 모두 보기
home-failed = 로그인 실패 { $count }건
home-times = { $count }회
home-no-failed = 로그인 실패가 없어요.
attention-requests = 확인할 권한 요청이 { $count }건 있어요
attention-requests-hint = 요청을 검토하고 승인하거나 거절해 주세요.
failed-sign-ins = 오늘 로그인 실패
last-sync = 마지막 동기화
last-import = 마지막 가져오기
home-import-changes = 추가 { $added }건, 변경 { $changed }건, 삭제 { $removed }건
needs-attention = 확인이 필요해요
count-apps = 연결된 앱 { $count }개
count-keys = 키 { $count }개
count-applications = 애플리케이션 { $count }개
count-clients = 클라이언트 { $count }개
attention-key-expires = API 키 “{ $key }” 유효 기간이 곧 끝나요.
attention-key-expires-hint = 지금 갱신해도 이전 값을 하루 더 쓸 수 있어요.
attention-key-expired = API 키 “{ $key }” 유효 기간이 끝났어요.
attention-key-expired-hint = 계속 쓰려면 갱신하고, 필요 없으면 폐기해 주세요.
attention-client-advice = 클라이언트 “{ $client }”의 보안을 강화해 보세요.
attention-clients-advice = 클라이언트 { $count }개의 보안을 강화해 보세요
see-advice = 권장 사항 보기

## Connected apps

apps-lead = 내 계정에 접근할 수 있는 앱이에요. 더 이상 쓰지 않는 앱은 연결을 끊어 주세요.
apps-empty = 연결된 앱이 없어요. 앱을 허용하면 여기에 표시돼요.
allowed-at = 허용한 날
app-may-return = 지금은 연결되어 있지 않지만, 다시 묻지 않고 연결할 수 있어요.
app-asks-again = 지금은 연결되어 있지 않아요. 다시 연결할 때는 동의를 받아요.
revoke-app-title = { $client } 연결을 끊을까요?
revoke-app-effect = 이 앱은 더 이상 내 계정에 접근할 수 없어요. 다음에 이 앱을 쓸 때 다시 허용을 요청해요.
revoke-app-tokens = 다른 서비스에서는 최대 한 시간 동안 접근이 유지될 수 있어요.

## My account

profile = 프로필
student-record = 학생 정보
account-since = 가입일
account-elsewhere = 계정과 비밀번호는 학교 로그인 시스템에서 관리해요.
change-password = 비밀번호 변경
password-lead = 비밀번호를 변경하면 다른 기기에서 모두 로그아웃되고, 연결된 앱도 모두 끊겨요.
old-password = 현재 비밀번호
new-password = 새 비밀번호
new-password-hint = 10자 이상이어야 해요. 서로 관련 없는 단어 서너 개를 이어 쓰면 추측하기 어렵고 외우기 쉬워요.
new-password-again = 새 비밀번호 확인
password-link = 비밀번호 설정
password-link-lead = 이 링크는 한 번만 쓸 수 있어요. 비밀번호를 설정하면 모든 기기에서 로그아웃되고, 연결된 앱도 모두 끊겨요.
password-link-first = 이 링크는 한 번만 쓸 수 있어요. 다음부터는 이메일 주소와 이 비밀번호로 로그인해 주세요.
sessions = 로그인된 기기
sessions-lead = 모르는 기기가 있으면 로그아웃하고 비밀번호를 변경해 주세요.
browser = 기기
browser-unknown = 알 수 없는 기기
signed-in-at = 로그인 일시
last-seen = 마지막 활동
this-session = 현재 기기
end-session = 로그아웃
end-session-of = { $browser }에서 로그아웃
sign-out-everywhere = 모든 기기에서 로그아웃
sign-out-everywhere-title = 모든 기기에서 로그아웃할까요?
sign-out-everywhere-effect = 이 기기를 포함한 모든 기기에서 로그아웃되고, 연결된 앱이 모두 끊겨요.

## API keys

key = 키
keys-lead = API 키로 프로그램에서 학교 데이터를 읽을 수 있어요. 키는 30일 동안 유효하니 만료되기 전에 갱신해 주세요.
keys-empty = 아직 API 키가 없어요. 키를 만들면 다음 화면에서 사용법을 알려 드려요.
keys-empty-everyone = 아직 API 키가 없어요.
new-key = 새 키
create-key = 키 만들기
key-description = 설명
key-description-hint = 예: “급식 알림 봇”. 나중에 어떤 키인지 알아볼 수 있어요.
key-hidden = 제외할 정보
key-hidden-hint = 프로그램에 필요 없는 학생 정보를 선택해 주세요. 응답에서 빈 값으로 나와요.
key-limit = 요청 한도 직접 설정
rate-limit = 기간당 요청 수
rate-limit-hint = 비워 두면 기본 한도를 써요.
rate-window = 기간(초)
rate-burst = 순간 최대 요청 수
key-valid-30-days = 키는 30일 동안 유효하고, 횟수 제한 없이 갱신할 수 있어요.
hidden-fields = 제외한 정보
nothing-hidden = 없음(모든 정보를 볼 수 있어요)
this-key = 키 정보
key-ends-in = 키 식별값
limit = 요청 한도
limit-of-all = 기본 한도
key-limit-of = { $window }초당 { $limit }건, 순간 최대 { $burst }건
old-values = 아직 유효한 이전 값
old-value-unnamed = 이전 값
key-works = 사용 중
key-expires-soon = 곧 만료
key-expired = 만료됨
key-days-left = { $count }일 남음
key-warning-soon = 이 키는 { $days }일 뒤에 만료돼요. 지금 갱신해도 이전 값을 원하는 기간만큼 더 쓸 수 있어요.
key-warning-expired = 이 키는 만료됐어요. 갱신하면 새 값을 받을 수 있어요.
edit-key = { $key } 수정
edit-key-lead = 키의 접근 범위는 줄일 수만 있어요. 권한을 빼거나, 제외할 정보를 늘리거나, 요청 한도를 낮춰 주세요. 더 많은 권한이 필요하면 새 키를 만들어 주세요.
key-stays-hidden = 이미 제외된 정보:
key-limit-most = { $window }초당 최대 { $limit }건, 순간 최대 { $burst }건까지 설정할 수 있어요. 비워 두면 지금 한도를 유지해요.
key-protected = 개인정보 요청
key-protected-hint = 새 키로는 다른 사람의 이 정보를 볼 수 없어요. 프로그램에 필요한 정보를 선택하면 관리자가 검토해요.
key-request = 개인정보 요청 중
key-request-waits = 관리자 승인을 기다리는 정보예요:
key-request-decide = 소유자가 모든 학생의 다음 개인정보를 요청했어요:
key-request-approve = 승인
key-request-deny = 거절
renew = 갱신
renew-key = { $key } 갱신
renew-lead = 30일 동안 유효한 새 값을 받아요. 권한, 한도, 사용 기록은 그대로예요.
renew-hides = 관리자 승인이 필요한 개인정보를 볼 수 있는 키예요. 갱신하면 제외되니, 필요하면 키를 수정해 다시 요청해 주세요:
overlap = 이전 값을 얼마나 더 쓸까요?
overlap-hint = 프로그램에 새 값을 넣을 시간이면 충분해요. 다른 사람이 키를 알게 됐다면 “즉시 만료”를 선택해 주세요.
overlap-none = 즉시 만료
overlap-hour = 1시간
overlap-day = 1일
overlap-week = 7일
revoke = 폐기
revoke-key-title = { $key } 키를 폐기할까요?
revoke-key-effect = 이 키를 쓰는 프로그램은 바로 작동하지 않게 돼요. 되돌릴 수 없어요.
revoke-key-used = 지난 7일 동안 요청 { $requests }건에 쓰였어요.
revoke-key-unused = 지난 7일 동안 쓰이지 않았어요.
requests-30-days = 최근 30일 요청
usage-none = 최근 30일 동안 요청이 없어요.
api-reference = API 문서
as-a-table = 표로 보기
plot-label = 최근 30일 일별 요청 수: 총 { $requests }건, 그중 오류 { $errors }건. 아래 표에서도 볼 수 있어요.
plot-answered = 성공
plot-errors = 오류
plot-day = { $date }: 요청 { $requests }건, 오류 { $errors }건
plot-outlier = { $date }에 오류가 가장 많았어요. 요청 { $requests }건 중 { $errors }건이에요.
plot-behind = 요청 수는 몇 분 늦게 반영될 수 있어요.
plot-date = { $month }월 { $day }일

## Secrets that are shown once

shown-once = 지금 복사해서 안전한 곳에 보관해 주세요. 다시 볼 수 없어요.
key-created = 키를 만들었어요
key-renewed = 키를 갱신했어요
key-value = 키 값
key-old-until = 이전 값은 { $time }까지 쓸 수 있어요.
key-old-ended = 이전 값은 더 이상 쓸 수 없어요.
client-created = 클라이언트를 등록했어요
secret-created = 새 클라이언트 시크릿
secret-value = 클라이언트 시크릿
secret-in-environment = 아래 프로그램은 환경 변수에서 시크릿을 읽어요. 그래서 코드에는 시크릿이 남지 않아요.
secret-advice = 앱의 서버에만 보관해 주세요. 사람들이 내려받는 앱이나 웹 페이지에는 넣지 마세요.
secret-older-goes-on = 이전 시크릿도 계속 쓸 수 있으니, 중단 없이 새 시크릿으로 바꿀 수 있어요.
try-it = 사용해 보기
sample-language = 예제 언어
sample-with-key = 예제에 내 키가 들어 있어요. 다른 사람이 볼 수 있는 코드에는 넣지 마세요.
sample-address = 예제에 내 키가 들어 있어요. https://DATA_API를 학교 데이터 API 주소로 바꿔 주세요.
sample-key = YOUR_KEY를 내 키로 바꿔 주세요.
sample-places = YOUR_KEY를 내 키로, https://DATA_API를 학교 데이터 API 주소로 바꿔 주세요.
i-have-kept-it = 보관했어요

## Applications and scopes

application = 애플리케이션
applications-lead = 애플리케이션은 권한을 정의해요. 클라이언트는 사용자에게 그 권한을 요청하고, 내 서비스는 액세스 토큰에서 권한을 확인해요.
applications-empty = 아직 애플리케이션이 없어요. 내 서비스만의 권한이 필요하면 만들어 보세요.
applications-empty-everyone = 아직 애플리케이션이 없어요.
new-application = 새 애플리케이션
rename-application = 애플리케이션 이름 바꾸기
application-name = 이름
application-name-hint = 사용자에게 허용을 요청할 때 권한 옆에 표시돼요.
name-translations = 다른 언어로 쓴 이름
name-translations-hint = 그 언어로 페이지를 보는 사람에게는 이 이름이 보여요. 비워 두어도 돼요.
other-languages = 그 밖의 언어
application-id = 애플리케이션 ID
application-read-only = 다른 사용자의 애플리케이션이에요. 권한을 확인하고 내 클라이언트에서 사용할 수 있어요.
scopes = 권한
scopes-empty = 아직 권한이 없어요. 클라이언트가 요청할 수 있는 권한을 추가해 보세요.
scope = 권한
new-scope = 새 권한
edit-scope = 권한 수정
scope-name = 이름
scope-name-hint = 영어 소문자, 숫자, _, -만 쓸 수 있어요. 예: points_read. 나중에 바꿀 수 없어요.
scope-description = 설명
scope-description-hint = 사용자에게 허용을 요청할 때 표시돼요. 예: “내 상점 보기”.
description-translations = 다른 언어로 쓴 설명
description-translations-hint = 그 언어로 페이지를 보는 사람에게는 이 설명이 보여요. 비워 두어도 돼요.
full-scope = 전체 권한 이름
approval = 승인
approval-required = 승인 필요
approval-not-required = 필요 없음
approval-required-hint = 다른 사용자의 클라이언트는 내 승인을 받아야 이 권한을 쓸 수 있어요. 이미 쓰는 클라이언트는 그대로 유지돼요.
approve = 승인
approved = 승인됨
listed = 사용 중
who-uses-it = 이 권한을 쓰는 클라이언트
scope-unused = 이 권한을 쓰는 클라이언트가 없어요.
last-granted = 마지막 허용
live-grants = 사용 중인 연결
remove-scope-title = { $client }에서 권한을 회수할까요?
remove-scope-effect = 클라이언트는 사용 중인 연결에서도 바로 이 권한을 잃고, 다시 승인할 때까지 요청할 수 없어요.
remove-open-scope-effect = 클라이언트는 사용 중인 연결에서도 바로 이 권한을 잃어요. 승인이 필요 없는 권한이라 소유자가 다시 추가할 수 있어요.
delete-scope-title = { $scope } 권한을 삭제할까요?
delete-scope-effect = 모든 클라이언트와 연결에서 바로 삭제돼요. 되돌릴 수 없어요.
delete-application-title = { $application } 애플리케이션을 삭제할까요?
delete-application-effect = 이 애플리케이션의 모든 권한이 모든 클라이언트와 연결에서 함께 삭제돼요. 되돌릴 수 없어요.
touches = 영향을 받는 대상: { $affected }
touches-nobody = 사용하는 클라이언트가 없어서 영향이 없어요.
touched-meanwhile = 페이지를 연 뒤에 영향을 받는 대상이 바뀌었어요. 아직 아무것도 바꾸지 않았으니 다시 확인해 주세요.
count-connections = 사용 중인 연결 { $count }개

## Requests for scopes

approvals-nav = 승인 대기
approvals-nothing-pending = 승인을 기다리는 항목이 없어요.
approvals-inbox = 받은 권한 요청
approvals-inbox-lead = 다른 클라이언트의 소유자가 내 애플리케이션의 권한을 요청했어요. 승인하면 그 클라이언트가 사용자에게 이 권한을 요청할 수 있어요.
approvals-inbox-empty = 대기 중인 요청이 없어요.
approvals-inbox-count = 확인할 권한 요청이 { $count }건 있어요
approvals-scope-lead = 다른 클라이언트의 소유자는 클라이언트 페이지에서 이 권한을 요청할 수 있어요.
approvals-requests = 권한 요청
approvals-fields-lead = API 키 소유자가 모든 학생의 개인정보를 요청했어요. 거절해도 키의 다른 기능은 그대로예요.
approvals-wants-to-read = 요청한 정보
approvals-approve-fields = { $key } 키 승인: { $fields }
approvals-deny-fields = { $key } 키 거절: { $fields }
approvals-fields-of-key = 개인정보: { $fields }
approvals-reason = 사유
approvals-asked-at = 요청일
approvals-deny = 거절
approvals-denial-reason = 거절 사유(필수, 클라이언트 소유자에게 표시돼요)
approvals-approve-for = { $client }에 { $scope } 승인
approvals-deny-for = { $client }의 { $scope } 요청 거절
approvals-verify-client = { $client } 확인됨으로 표시
approvals-wants-to = 요청하는 권한
approvals-more-scopes = 외 { $count }개
approvals-request = 권한 요청
approvals-request-lead = 다른 사용자의 애플리케이션에는 소유자의 승인이 필요한 권한이 있어요. 여기에서 요청하고 처리 상태를 확인해 주세요.
approvals-new-request = 새 요청
approvals-nothing-to-request = 승인이 필요한 다른 권한이 없어요.
approvals-reason-hint = 권한을 어디에 쓰는지 애플리케이션 소유자에게 한 문장으로 알려 주세요.
approvals-send = 요청 보내기
approvals-pending = 대기 중
approvals-denied = 거절됨
approvals-add = 클라이언트에 추가
approvals-remove = 삭제
approvals-withdraw = 요청 취소
approvals-withdraw-request = 요청 취소: { $scope }
approvals-administrators = 관리자
approvals-count-pending = 대기 중 { $count }건
approvals-count-approved = 승인됨 { $count }건
approvals-count-denied = 거절됨 { $count }건
approvals-decisions = 내 요청의 처리 결과
approvals-decided-count = 권한 요청 { $count }건이 처리됐어요
approvals-is-approved = “{ $client }”에서 “{ $scope }” 권한을 쓸 수 있어요.
approvals-is-approved-hint = 권한을 클라이언트에 추가하면 쓸 수 있어요.
approvals-is-denied = “{ $client }”의 “{ $scope }” 권한 요청이 거절됐어요.
approvals-already-requested = 이미 요청한 권한이에요.
approvals-already-approved = 이미 승인된 권한이에요.
approvals-limit = 이 클라이언트는 더 요청할 수 없어요. 다른 요청을 취소하거나 처리될 때까지 기다려 주세요.
approvals-done-sent = 요청을 보냈어요.
approvals-done-denied = 요청을 거절했어요. 클라이언트 소유자에게 사유가 표시돼요.
approvals-done-withdrawn = 요청을 삭제했어요.

## Clients

client = 클라이언트
clients-lead = 클라이언트는 학교 계정으로 로그인하는 앱이에요.
clients-empty = 아직 클라이언트가 없어요. 내 앱에 학교 계정 로그인을 넣으려면 등록해 주세요.
clients-empty-everyone = 아직 클라이언트가 없어요.
new-client = 새 클라이언트
edit-client = 클라이언트 수정
register-client = 클라이언트 등록
client-name = 이름
client-name-hint = 사용자가 로그인할 때 표시돼요.
client-id = 클라이언트 ID
client-read-only = 공식 클라이언트는 관리자만 변경할 수 있어요.
this-client = 클라이언트 정보
first-party = 공식
first-party-hint = 로그인한 사용자를 대신해 관리할 수 있어요. 직접 운영하는 도구에만 켜 주세요.
policy = 인증 방식
policy-secret = 클라이언트 시크릿
policy-secret-hint = 시크릿을 보관할 서버가 있는 앱에 권장해요.
policy-secret-or-pkce = 클라이언트 시크릿 또는 PKCE
policy-secret-or-pkce-hint = 서버가 있지만 일부는 서버 없이 동작하는 앱에 써요.
policy-none = PKCE만(공개 클라이언트)
policy-none-hint = 시크릿을 안전하게 보관할 수 없는 모바일, 데스크톱, 브라우저 앱에 써요.
policy-none-drops-secrets = 시크릿을 안전하게 보관할 수 없는 모바일, 데스크톱, 브라우저 앱에 써요. 이 클라이언트의 시크릿은 바로 쓸 수 없게 돼요.
redirect-uris = 리디렉션 URI
redirect-uris-hint = 로그인한 뒤 돌아갈 주소예요. 한 줄에 하나씩, 앱이 보내는 그대로 입력해 주세요.
redirect-rules = 리디렉션 URI 규칙
policy-uri = 개인정보처리방침
policy-uri-hint = https://로 시작하는 주소예요. 사용자가 앱을 허용하는 화면에 링크로 보여요. 없으면 비워 두세요.
redirect-line = { $line }번째 줄
redirect-all-good = 모두 사용할 수 있는 주소예요.
redirect-absolute = https://app.example/callback처럼 공백 없는 전체 주소여야 해요.
redirect-scheme = https://로 시작해야 해요. http://는 127.0.0.1, [::1], localhost에서만 되고, com.example.app:/처럼 점이 있는 자체 스킴도 돼요.
redirect-fragment = # 부분이 있으면 안 돼요.
redirect-user = @ 앞에 사용자 이름이 있으면 안 돼요.
redirect-host = 호스트가 있어야 해요.
redirect-port = 포트는 65535 이하여야 해요.
redirect-reserved = code, state, iss, error, error_description 매개변수가 있으면 안 돼요.
redirect-length = 2,000자를 넘을 수 없어요.
allowed-scopes = 권한
allowed-scopes-hint = 앱이 사용자에게 요청할 수 있는 권한이에요. 필요한 것만 선택해 주세요.
find-scope = 권한 찾기
scope-needs-approval = 승인 필요
scope-first-party-only = 공식 클라이언트 전용
more-settings = 고급 설정
pkce-required = PKCE 필수
pkce-required-hint = 라이브러리가 지원하면 켜는 것을 권장해요. 공개 클라이언트는 항상 PKCE를 써야 해요.
plain-pkce-allowed = PKCE plain 방식 허용
plain-pkce-allowed-hint = S256을 지원하지 않는 오래된 앱에만 켜 주세요.
iss-omitted = 리디렉션에서 iss 빼기
iss-omitted-hint = iss 때문에 로그인이 실패하는 앱에만 켜 주세요. 앱에 issuer를 설정하는 쪽이 더 좋아요.
client-credentials-allowed = 사용자 없는 토큰 허용
client-credentials-allowed-hint = 사용자 없이 동작하는 프로그램에 켜 주세요. 공개 클라이언트는 쓸 수 없어요.
advice = 권장 사항
no-advice = 문제 없음
count-advice = 권장 사항 { $count }건
secrets = 시크릿
secrets-lead = 시크릿은 두 개까지 만들 수 있어요. 더 만들면 가장 오래된 시크릿이 삭제돼요.
secret-of = 만든 날
secret-never-used = 사용한 적 없음
newest = 최신
secret-unnamed = 이전 시크릿
new-secret = 새 시크릿
new-secret-title = { $client }에 새 시크릿을 만들까요?
new-secret-effect = 다음 화면에서 한 번만 볼 수 있어요. 지금 시크릿도 계속 쓸 수 있어요.
first-secret-effect = 다음 화면에서 한 번만 볼 수 있어요.
new-secret-pushes-out = 이미 시크릿이 두 개 있어서 가장 오래된 시크릿은 바로 쓸 수 없게 돼요.
remove-older-secret = 이전 시크릿 삭제
remove-older-secret-title = { $client }의 이전 시크릿을 삭제할까요?
remove-older-secret-effect = 아직 이전 시크릿을 쓰는 서버는 토큰을 받을 수 없어요. 최신 시크릿은 그대로예요.
delete-client-title = { $client } 클라이언트를 삭제할까요?
delete-client-effect = 사용자가 더 이상 이 앱에 로그인할 수 없고 모든 연결이 끊겨요. 되돌릴 수 없어요.
use-it = 사용 방법
authorize-link = 인증 요청 URL
authorize-link-lead = 로그인할 사용자를 이 주소로 보내 주세요. state와 code challenge는 매번 새로 만들어야 해요.
code-samples = 로그인 전체 과정 예제
code-samples-lead = 터미널에서 실행해 보세요. 브라우저가 돌아온 주소를 입력하면 그 안의 code를 토큰으로 바꿔요.

## School data

data-needs-key = 학교 데이터를 보려면 API 키가 필요해요.
key-lacks-scope = “{ $key }” 키로는 볼 수 없는 데이터예요. 다른 키를 선택하거나 새로 만들어 주세요.
look-with-key = API 키
look-as-administrator = 관리자(모든 정보)
download-audit-csv = CSV로 내려받기
download = 내려받기
download-csv = CSV
download-xlsx = 엑셀
file-rows = 행(파일 하나에 1,000행까지)
headings = 열 이름과 값
headings-of-api = API 이름 그대로
byte-order-mark = CSV에 BOM 추가(엑셀용)
columns-shown = 열 ({ $count })
columns-and-download = 열과 내려받기
show-columns = 적용
row-height = 행 높이
rows-normal = 기본
rows-dense = 좁게
remove-filter = 이 필터 지우기
clear-all-filters = 모두 지우기
no-match = 조건에 맞는 항목이 없어요.
nothing-in-list = 아직 등록된 항목이 없어요: { $list }
no-more-rows = 이 페이지에는 더 볼 항목이 없어요.
nothing-on-days = 이 날짜에는 등록된 항목이 없어요.
whole-week = 한 주 전체 보기
previous-day = 전날
next-day = 다음 날
rows-of = { $total }건 중 { $from }–{ $to }
people-of = { $total }명 중 { $from }–{ $to }
first-page = 처음
last-page = 마지막
go-to-page = 페이지
of-pages = / { $pages }
go = 이동
edit-record = 수정
no-records = 조건에 맞는 항목이 없어요. 필터를 바꾸거나 초기화해 주세요.
filters = 필터
filters-have-faults = 표시된 필터를 확인해 주세요.
hidden-cell = 제외됨
any = 전체
yes = 예
no = 아니요
sort-by = 정렬 기준
sort-direction = 정렬 방향
ascending = 오름차순
descending = 내림차순
page-size = 페이지당 개수
same-request = 이 화면의 API 요청
same-request-lead = YOUR_KEY를 내 키로 바꿔 주세요.

## Administration

new-person = 새 계정
people-elsewhere = 계정은 학교 로그인 시스템에서 관리해요.
people-search = 이름, 반(예: 2-3) 또는 이메일 주소
people-name = 이름
people-class = 반
name-or-email = 이름 또는 이메일 주소
state-active = 사용 중
state-invited = 초대함
state-suspended = 정지됨
state-left = 재학생 아님
new-person-lead = 비밀번호는 본인이 설정해요. 다음 화면의 링크를 전해 주세요. 링크는 7일 동안 한 번만 쓸 수 있어요.
new-person-create = 만들고 링크 보기
make-password = 새 비밀번호 만들기
password-made = 새 비밀번호
password-made-advice = 본인에게만 알려 주세요. “내 계정”에서 바꿀 수 있어요.
role-hint = 역할을 바꾸면 이 사이트에서 로그아웃돼요. API 키에서는 새 역할에서 보호되는 개인정보가 제외되고, 관리자가 승인하면 다시 볼 수 있어요.
sign-out-person-hint = 모든 기기에서 로그아웃되고 연결된 앱이 모두 끊겨요. API 키는 계속 쓸 수 있어요.
no-sessions = 로그인된 기기가 없어요.
all-events = 전체 기록
done-their-sessions-ended = 사용자를 로그아웃했어요.
last-sign-in = 마지막 로그인
you = 나
person-id = ID
what-may-they-do = 이 사용자가 할 수 있는 일
not-your-own-role = 내 역할은 직접 바꿀 수 없어요. 다른 관리자에게 요청해 주세요.
lost-password = 비밀번호 재설정
lost-password-lead = 새 비밀번호를 자동으로 만들어 한 번만 보여 드려요. 모든 기기에서 로그아웃되고 연결된 앱이 모두 끊겨요.
set-password = 비밀번호 설정
invite-people = 초대하기
invite-lead = 계정이 없는 사람의 계정과 비밀번호 설정 링크를 만들어 드려요. 링크는 7일 동안 한 번만 쓸 수 있어요.
invite-grade = 학년
invite-class = 반
invite-all = 전체
invite-no-students = 선택 안 함
invite-addresses = 이메일 주소
invite-addresses-hint = 한 줄에 하나씩 입력하거나 스프레드시트에서 붙여 넣어 주세요. 주소를 입력하면 위에서 고른 학생은 초대하지 않아요.
invite-nobody = 학년을 고르거나 이메일 주소를 입력해 주세요.
invite-check = 확인하기
invite-new = 새 계정 { $count }개.
invite-nothing-yet = 아직 아무것도 만들지 않았어요.
invite-by-mail = 링크를 이메일로도 보내요.
invite-refused-lines = 제외된 줄
invite-refused-line = { $line }번째 줄: { $reason }
invite-line-no-address = 이메일 주소가 없어요
invite-line-several = 주소가 여러 개예요. 첫 줄에 열 제목 “이메일”을 넣어 주세요
invite-line-separator = 주소에 , ; " < > 같은 문자가 들어 있어요
invite-line-repeated = { $line }번째 줄과 같은 주소예요
invite-line-too-many = 5,000개가 넘어 제외했어요. 나누어 초대해 주세요
invite-again = 아직 비밀번호를 설정하지 않은 사람의 링크도 새로 만들기
invite-create = 만들고 링크 보기
invite-csv = 만들고 링크 내려받기(CSV)
invited = 초대 링크
invited-lead = 링크는 지금 한 번만 볼 수 있어요. 링크로 비밀번호를 설정할 수 있으니 본인에게만 전해 주세요.
invited-link = 링크
invited-mail = 이메일
invited-mailed = 보냈어요
invited-not-mailed = 보내지 못했어요: { $reason }
invited-out-of-time = 메일 서버가 느려서 아직 보내지 못했어요. 링크를 직접 전해 주세요.
person-invited = 초대했지만 아직 비밀번호를 설정하지 않았어요.
person-left = 학생이 재학생이 아니게 되어 { $since }부터 정지됐어요. { $until } 전에 다시 재학생이 되면 모두 그대로 쓸 수 있고, 그 뒤에는 계정이 삭제돼요.
person-restored = 백업에서 복원해 정지됐어요. 새 비밀번호를 설정하거나 서버에서 확인하면 정지가 풀려요.
person-link = 일회용 링크
person-link-lead = 본인이 이 링크로 비밀번호를 설정해요. 링크는 7일 동안 한 번만 쓸 수 있고, 그때까지 현재 비밀번호도 쓸 수 있어요.
person-link-make = 링크 만들기
remove-account = 계정 삭제
remove-account-title = { $account } 계정을 삭제할까요?
remove-account-effect = 이 사용자는 모든 기기에서 로그아웃되고, 다시 로그인하거나 API 키를 쓸 수 없게 돼요. 되돌릴 수 없어요.
remove-account-stays = 애플리케이션과 권한은 계속 쓸 수 있고 관리자가 관리해요.
events-of-person = 최근 기록
explain-id = 요청 ID 조회
explain-id-hint = 오류 페이지나 x-request-id 헤더에 표시되는 영문·숫자 10자리예요.
explain = 조회
explained = 요청 { $id }
id-malformed = 요청 ID 10자리를 입력해 주세요. 영문과 숫자이며 i, l, o, u는 쓰이지 않아요.
id-unknown = 이 ID의 기록이 없어요. 잘못 입력했거나 오래되어 기록이 삭제됐을 수 있어요. i, l, o, u는 쓰이지 않아요.
what-happened = 활동
from-day = 시작일
to-day = 종료일
nothing-kept = 기록 없음
events-elsewhere = 기록을 여기에서 볼 수 없어요. 서비스의 로그에만 남아요.
no-events = 조건에 맞는 기록이 없어요.
fact-person = 사용자
fact-scopes = 권한
fact-object = 대상
fact-change = 변경
fact-fields = 항목
fact-rule = 사유 코드
fact-parameter = 매개변수
fact-status = 상태 코드
fact-endpoint = 엔드포인트
fact-connection = 연결
fact-versions = 버전
fact-count = 개수

## Events in plain words

audit-by = 실행한 사람
audit-about = 대상(사용자 또는 ID)
audit-person-hint = 이름 또는 이메일
audit-of-or-about = 이 사용자 또는 항목의 기록만:
audit-newer = 더 최근
audit-older = 더 이전
audit-newest-entries = 최근 { $count }건
audit-entries-here = 이 페이지에 { $count }건
audit-no-user = “{ $typed }” 사용자를 찾을 수 없어요.
audit-many-users = “{ $typed }” 사용자가 { $most }명보다 많아요. 이름을 더 자세히 입력하거나 이메일 주소를 입력해 주세요.
audit-csv-limit = 최근 10,000건까지 다운로드할 수 있어요. 다운로드 기록도 남아요.
audit-kind = 종류
audit-unknown-user = 알 수 없는 사용자
audit-service = 서비스
audit-console = 이 사이트
audit-removed-account = (삭제된 계정)
audit-deleted-client = (삭제된 클라이언트)
audit-deleted-application = (삭제된 애플리케이션)
audit-event = { $event ->
    [signed_in] { $who } 님이 { $client }에 로그인했어요
    [sign_in_refused] { $client }에서 이메일 주소나 비밀번호를 잘못 입력했어요
    [sign_in_limited] { $client }에서 로그인에 너무 많이 실패했어요
    [signed_out] { $who } 님이 { $client }에서 로그아웃했어요
    [consent_asked] { $who } 님에게 { $client } 허용 여부를 물었어요
    [consent_given] { $who } 님이 { $client } 접근을 허용했어요
    [consent_remembered] { $who } 님이 이전에 허용해서 { $client }에 바로 연결했어요
    [consent_denied] { $who } 님이 { $client } 접근을 허용하지 않았어요
    [code_issued] { $client }에서 { $who } 님의 코드를 받았어요
    [tokens_issued] { $client }에서 { $who } 님의 토큰을 받았어요
    [refreshed] { $client }에서 { $who } 님의 토큰을 갱신했어요
    [refresh_repeated] { $client }에서 { $who } 님의 토큰을 한 번 더 갱신했어요
    [client_token_issued] { $client }에서 자체 토큰을 받았어요
    [reuse_detected] { $client }에서 코드나 토큰을 두 번 사용해 연결이 끊겼어요
    [revoked] { $client }에서 연결을 끊었어요
    [revoked_with_user] { $who } 님의 계정이 없어져 연결이 끊겼어요
    [grant_replaced] { $who } 님이 { $client }에 새로 로그인해 이전 연결이 끊겼어요
    [grant_withdrawn] { $who } 님이 앱 연결을 끊었어요
    [consent_withdrawn] { $who } 님이 { $client } 연결을 끊었어요
    [signed_out_everywhere] { $who } 님이 모든 기기에서 로그아웃했어요
    [signing_key_installed] 서명 키를 만들었어요
    [signing_key_revoked] 서명 키를 폐기했어요
    [signing_keys_removed] 오래된 서명 키를 삭제했어요
    [backup_restored] { $who } 님이 백업을 복원했어요
    [imported] { $who } 님이 파일을 가져왔어요: { $list }
    [synced] { $who } 님이 나이스와 동기화했어요: { $list }
    [year_turned] { $who } 님이 학년도를 전환했어요
    [year_turn_undone] { $who } 님이 학년도 전환을 되돌렸어요
    [person_erased] { $who } 님이 한 사람의 정보를 삭제했어요
    [leavers_removed] { $who } 님이 졸업생·자퇴생을 정리했어요
    [data_viewed] { $who } 님이 학교 데이터를 조회했어요
    [edited] { $who } 님이 학교 정보를 변경했어요
    [managed] { $who } 님이 항목을 변경했어요
    [refused] 요청이 거절됐어요
   *[other] { $event }
}
audit-wrong-password = { $client }에서 { $name } 님의 로그인이 실패했어요(비밀번호가 틀렸거나 정지된 계정)
audit-wrong-password-here = { $name } 님의 로그인이 실패했어요(비밀번호가 틀렸거나 정지된 계정)
audit-signed-in-here = { $who } 님이 로그인했어요
audit-signed-out-here = { $who } 님이 로그아웃했어요
audit-unknown-email = { $client }에서 등록되지 않은 이메일 주소를 입력했어요
audit-edited = { $who } 님이 학교 정보를 { $change ->
    [created] 추가했어요
    [deleted] 삭제했어요
   *[other] 변경했어요
}: { $list }
audit-edited-one = { $who } 님이 { $name }({ $list }) 정보를 { $change ->
    [created] 추가했어요
    [deleted] 삭제했어요
   *[other] 변경했어요
}
audit-viewed-one = { $who } 님이 { $name }({ $list }) 정보를 조회했어요
audit-viewed = { $who } 님이 { $list ->
    [students] 학생 { $count }명을 조회했어요
    [clubs] 동아리 { $count }개를 조회했어요
    [projects] 프로젝트 { $count }개를 조회했어요
    [meals] 급식 { $count }건을 조회했어요
    [schedules] 학사일정 { $count }건을 조회했어요
    [timetables] 시간표 { $count }건을 조회했어요
    [class_history] 학생 { $count }명의 반 기록을 조회했어요
    [audit_events] 감사 로그 { $count }건을 내보냈어요
   *[other] “{ $list }” { $count }건을 조회했어요
}
audit-refused-person = { $who } 님의 요청이 거절됐어요: { $why }
audit-refused-client = { $client }의 요청이 거절됐어요: { $why }
audit-refused-key = API 키 “{ $key }”의 요청이 거절됐어요: { $why }
audit-refused-request = 요청이 거절됐어요: { $why }
audit-tag = { $change ->
    [created] 생성
    [renewed] 갱신
    [suspended] 정지
    [resumed] 재개
    [confirmed] 확인
    [deleted] 삭제
    [revoked] 폐기
    [refused] 요청 거절
    [verified] 확인
    [unverified] 확인 취소
    [approved] 승인
    [asked] 요청
    [signed_out] 로그아웃
   *[other] 변경
}
audit-managed = { $who } 님이 { $object } 항목을 { $change ->
    [created] 만들었어요
    [renewed] 갱신했어요
    [suspended] 정지했어요
    [resumed] 다시 쓸 수 있게 했어요
    [confirmed] 확인했어요
    [deleted] 삭제했어요
    [revoked] 폐기했어요
    [refused] 거절했어요
   *[other] 변경했어요
}
audit-object = { $kind ->
    [application] 애플리케이션 { $name }
    [scope] 권한 { $name }
    [client] 클라이언트 { $name }
    [client_secret] 클라이언트 { $name }의 시크릿
    [api_key] API 키
    [named_api_key] API 키 “{ $name }”
    [calendar_feed] 캘린더 구독 주소
    [account] { $name } 님의 계정
    [password] { $name } 님의 비밀번호
   *[other] { $kind } { $name }
}
audit-approved = { $who } 님이 { $client }에 { $scope } 권한을 승인했어요
audit-approval-withdrawn = { $who } 님이 { $client }의 { $scope } 권한을 회수했어요
audit-scope-asked = { $who } 님이 { $client }에 { $scope } 권한을 요청했어요
audit-scope-refused = { $who } 님이 { $client }의 { $scope } 권한 요청을 거절했어요
audit-scope-request-withdrawn = { $who } 님이 { $client }의 { $scope } 권한 요청을 취소했어요
audit-client-verified = { $who } 님이 { $client } 클라이언트를 확인했어요
audit-client-unverified = { $who } 님이 { $client } 클라이언트의 확인을 취소했어요
audit-signed-out = { $who } 님이 { $name } 님을 로그아웃했어요
audit-link-made = { $who } 님이 { $name } 님의 일회용 링크를 만들었어요

## Activity of a client or a key

activity-title = 활동 내역
activity-last-days = 최근 30일
activity-refused = 거절된 요청
activity-no-refusals = 거절된 요청이 없어요.
activity-reason = 이유
activity-parameter-invalid = { $name } 매개변수가 규칙에 맞지 않아요.
activity-parameter-repeated = { $name } 매개변수가 두 번 왔어요.
activity-parameter-hidden = { $name } 매개변수에 API 키로 볼 수 없는 정보를 썼어요.
activity-counted-of-key = 차트의 오류는 이 키로 보낸 요청 중 거절되거나 실패한 요청이에요. 한 시간에 아주 많이 거절되면 목록에는 일부만 나와요. 없는 주소로 보낸 요청(404)은 키를 확인하기 전에 응답해서 차트와 목록에 나오지 않아요.
activity-counted-of-client = 차트의 성공은 토큰을 발급한 요청이고, 오류는 이 클라이언트 ID로 온 요청 중 거절된 요청이에요. 로그인 화면과 동의 화면에서 거절된 요청은 세지 않아요. 한 시간에 실패가 아주 많으면 일부만 집계해요. 목록에도 일부만 나와요.
activity-look-up-lead = 내 요청, 내 클라이언트와 API 키의 요청을 조회할 수 있어요.
activity-unknown = 내 요청 중에 이 ID가 없어요. ID를 확인해 주세요(i, l, o, u는 없어요). 오래된 기록은 삭제됐을 수 있어요.

## Messages with one-time links

mail-invitation-subject = { $school }: 계정 비밀번호를 설정해 주세요
mail-invitation =
    { $school }에 계정이 생겼어요: { $account }

    { $time }까지 비밀번호를 설정해 주세요. 링크는 한 번만 쓸 수 있어요.
    { $link }

    그다음 여기에서 로그인하면 돼요.
    { $address }

    예상하지 못한 메일이라면 무시해 주세요. 링크를 열지 않으면 아무것도 바뀌지 않아요.
mail-reset-subject = { $school }: 새 비밀번호를 설정해 주세요
mail-reset =
    { $school } 관리자가 { $account } 계정의 비밀번호를 새로 설정할 수 있는 링크를 보냈어요.

    { $time }까지 새 비밀번호를 설정해 주세요. 링크는 한 번만 쓸 수 있고, 비밀번호를 설정하면 모든 기기에서 로그아웃돼요.
    { $link }

    그다음 여기에서 로그인하면 돼요.
    { $address }

    요청한 적이 없다면 이 메일을 무시하고 학교에 알려 주세요. 링크를 열지 않으면 비밀번호는 그대로예요.

## The editor of the school's records

editor-nav = 학교 정보 관리
editor-new-record = { $list } 추가
editor-name = 이름
editor-list = 목록
editor-selected = 선택
editor-select = { $name } 선택
editor-change-selected = 선택한 항목 변경
editor-change-all = 조건에 맞는 { $count }건 모두 변경
editor-too-many-selected = 한 번에 조건에 맞는 항목은 5,000건, 직접 선택한 항목은 500건까지 변경할 수 있어요. 조건을 좁혀 나누어 변경해 주세요.
editor-and-more = 외 { $count }건
editor-meanwhile = 그사이 변경된 항목
editor-other-count = 이전에는 { $before }건, 지금은 { $now }건이에요.
editor-nothing-selected = 선택한 항목이 없어요. 돌아가서 변경할 항목을 선택해 주세요.
editor-what-to-do = 변경할 내용
editor-to-class = 새 학년과 반
editor-to-major = 새 학과
editor-grade = 학년
editor-grade-stays = 비워 두면 학년은 그대로예요.
editor-class = 반
editor-show-changes = 변경 내용 미리 보기
editor-change-title = { $count ->
   *[other] { $count }건이 변경돼요
}
editor-nothing-changes = 변경되는 내용이 없어요.
editor-consequences = 함께 변경되는 내용
editor-consequences-lead = 이 변경으로 다른 정보도 함께 바뀌어요.
editor-apply = 적용하기
editor-added = 추가
editor-changed = 변경
editor-gone = 삭제
editor-changed-meanwhile = 그사이 다른 관리자가 이 정보를 변경해서 저장하지 않았어요. 표시된 항목에서 현재 값을 확인해 주세요. 다시 저장하면 입력한 내용으로 바뀌어요.
editor-changed-to = 현재 값:
editor-plan-changed = 그사이 정보가 변경되어 적용하지 않았어요. 지금 적용하면 아래처럼 변경돼요.
editor-import = 파일 가져오기
editor-all-as-csv = 전체 CSV 내려받기
editor-all-as-json = 전체 JSON 내려받기
editor-these-as-csv = { $count ->
   *[other] 검색 결과 { $count }건 CSV 내려받기
}
editor-these-as-json = { $count ->
   *[other] 검색 결과 { $count }건 JSON 내려받기
}
editor-part-hint = 검색 결과만 내려받은 파일을 다시 가져올 때는 “파일에 없는 항목 유지”를 선택해 주세요.
editor-import-title = { $list } 가져오기
editor-file = 파일
editor-file-hint = 목록 전체가 담긴 4MiB 이하의 CSV 또는 JSON 파일이에요. 내려받은 파일 형식이나 한글 열 제목을 쓸 수 있어요. 미리 보기를 확인하기 전에는 아무것도 바뀌지 않아요.
editor-choose-file = 파일을 선택해 주세요.
editor-upload-expired = 한 시간이 지나 파일이 만료됐어요. 파일을 다시 선택해 주세요.
editor-partial = 파일에 없는 항목 유지
editor-partial-hint = 선택하지 않으면 파일에 없는 항목은 삭제돼요. 졸업·자퇴생은 그대로 둬요.
editor-allow-removals = 대량 삭제 허용
editor-allow-removals-hint = 선택하지 않으면 10%를 넘게 삭제하는 파일은 적용하지 않아요.
editor-skip-refused = 오류가 있는 행 제외
editor-skip-refused-hint = 선택하지 않으면 오류가 하나라도 있을 때 적용하지 않아요.
editor-match-by = 추가로 비교할 열
editor-match-by-hint = 고유번호와 학생 이메일을 먼저 비교해요.
editor-match-none = 사용 안 함
editor-found = 변경 요약
editor-columns = 열
editor-unchanged = 그대로
editor-refused = 오류
editor-confirm-current = 최신 목록으로 확인하기
editor-accounts-lose-access = 학생이 재학생이 아니게 되어 계정 { $count }개를 바로 쓸 수 없게 되고, 하루 뒤에 삭제돼요.
editor-suggests-match = 새로 추가되는 항목과 삭제되는 항목의 수가 비슷해요. 같은 항목이라면 “추가로 비교할 열”에서 다른 열을 선택해 주세요. 새 항목에는 새 고유번호가 붙고, 그 학생의 계정은 더 이상 쓸 수 없어요.
editor-former-kept = 졸업·자퇴생 { $count }명은 파일에 없지만 그대로 둬요.
editor-refused-lines = 오류가 있는 행
editor-place = 위치
editor-column = 열
editor-reason = 이유
editor-line = { $number }행
editor-record = { $number }번째 항목
editor-obstacle-refused = 오류가 있는 행이 있어 적용할 수 없어요. 파일을 고치거나 “오류가 있는 행 제외”를 선택해 주세요.
editor-obstacle-shrinks = 10%를 넘는 항목이 삭제돼요. 맞다면 “대량 삭제 허용”을, 그대로 두려면 “파일에 없는 항목 유지”를 선택해 주세요.
editor-done-imported = 파일을 가져왔어요.
editor-bounds = { $low }부터 { $high }까지의 숫자를 입력해 주세요.
editor-one-of = { $words } 중에서 선택해 주세요.
editor-action =
    .class = 반 옮기기
    .major = 학과 변경
    .graduate = 졸업 처리
    .withdraw = 자퇴 처리
    .remove = 삭제
editor-hint =
    .role = 졸업생이나 자퇴생으로 바꾸면 학년, 반, 번호, 학과, 기숙사, 동아리 정보가 삭제돼요.
    .leader = 구성원의 이메일, 고유번호 또는 이름
    .participants = 한 줄에 한 명씩 이메일, 고유번호 또는 이름을 입력해 주세요
    .repositories = 한 줄에 주소 하나씩
    .techStacks = 한 줄에 하나씩
    .majorClub = 재학생만 동아리에 가입할 수 있어요.
editor-rule =
    .name = 255자 이내로 한 줄로 입력해 주세요.
    .email = name@school.example 같은 이메일 주소를 입력해 주세요.
    .specialty = 255자 이내로 한 줄로 입력해 주세요.
    .dormitoryRoom = 호실 번호를 입력해 주세요.
    .githubId = 영문, 숫자, 하이픈으로 1~39자를 입력해 주세요.
    .foundedYear = 연도를 입력해 주세요.
    .abolishedYear = 창설 연도와 같거나 그 이후인 연도를 입력해 주세요.
    .startYear = 연도를 입력해 주세요.
    .endYear = 시작 연도와 같거나 그 이후인 연도를 입력해 주세요.
    .description = 10,000자 이내로 입력해 주세요.
    .repositories = https 주소를 20개까지 입력해 주세요.
    .techStacks = 20개까지 입력해 주세요.
editor-refusal =
    .file = 파일을 표로 읽을 수 없거나 파일이 너무 커요.
    .column = 알 수 없는 열 제목이 있거나 같은 열이 두 번 있어요.
    .row = 행이 열 제목과 맞지 않아요.
    .missing = 필수 항목이에요.
    .invalid = 사용할 수 없는 값이에요.
    .out_of_bounds = 우리 학교에 없는 값이에요. 다른 값을 선택해 주세요.
    .unknown_record = 이 고유번호의 정보가 없어요. 새로 추가하려면 고유번호를 비워 주세요.
    .ambiguous_record = 해당하는 정보가 여러 개예요. 고유번호를 입력해 주세요.
    .email_taken = 다른 학생이 사용하는 이메일이에요.
    .enrolled_only = 재학생만 입력할 수 있는 항목이에요.
    .club = 없는 동아리이거나 이름이 같은 동아리가 여러 개예요.
    .club_type = 동아리 종류가 달라요.
    .club_has_members = 구성원이 있는 동아리는 종류를 변경할 수 없어요.
    .student = 없는 학생이거나 이름이 같은 학생이 여러 명이에요. 이메일을 입력해 주세요.
    .not_enrolled = 재학생이 아닌 사람이 있어요.
    .other_club = 다른 동아리에도 들어 있는 학생이 있어요.
    .leader_is_not_member = 동아리장은 동아리 구성원이어야 해요.
    .contradiction = 다른 열의 값과 맞지 않아요. 하나를 고치거나 이 칸을 비워 주세요.
    .too_many = 한 번에 처리하기에는 너무 많아요. 나누어 진행해 주세요.

## Notices after a redirect

done-withdrawn = 연결을 끊었어요.
done-password = 비밀번호를 변경했어요. 다른 기기에서는 모두 로그아웃됐어요.
done-session-ended = 해당 기기에서 로그아웃했어요.
done-signed-out = 로그아웃했어요.
done-session-expired = 로그인이 만료됐어요. 다시 로그인해 주세요.
done-session-expired-form = 로그인이 만료됐고, 작성하던 내용은 보관하지 못했어요. 로그인한 뒤 다시 작성해 주세요.
done-sign-in-first = 이 페이지를 보려면 로그인해 주세요.
done-password-first = 로그인한 지 1시간이 지났어요. 안전을 위해 비밀번호를 다시 입력해 주세요.
done-password-first-form = 로그인한 지 1시간이 지났어요. 안전을 위해 비밀번호를 다시 입력해 주세요. 입력한 내용은 보관할 수 없어 다시 작성해야 해요.
done-confirmed = 비밀번호를 확인했어요. 아직 변경된 내용이 없으니 다시 시도해 주세요.
done-key-revoked = 키를 폐기했어요.
done-fields-approved = 요청을 승인했어요. 이제 이 키로 해당 정보를 볼 수 있어요.
done-fields-denied = 요청을 거절했어요. 정보는 계속 제외돼요.
done-saved = 저장했어요.
done-created = 만들었어요.
done-created-before = 이미 처리한 요청이라 다시 만들지 않았어요. 하나 더 만들려면 새로 작성해 주세요.
done-deleted = 삭제했어요.
done-shown-before = 비밀 값은 한 번만 볼 수 있어요. 저장하지 못했다면 새로 만들어 주세요.
typed-form-is-back = 다시 로그인했어요. 작성하던 내용을 불러왔지만 아직 저장하지 않았어요.
done-invited-before = 이미 처리한 초대라서 아무것도 다시 보내지 않았어요. 링크는 그때만 볼 수 있어요. 새 링크가 필요하면 주소를 다시 확인해 주세요.
done-approved = 요청을 승인했어요. 이제 클라이언트 소유자가 권한을 추가할 수 있어요.
done-scope-removed = 클라이언트에서 권한을 회수했어요.
done-secret-removed = 이전 시크릿을 삭제했어요.
done-role = 역할을 변경했어요.
done-password-set = 비밀번호를 설정했어요.
done-account-removed = 계정을 삭제했어요.

## Error messages for users

errors-rule =
    .not_found = 주소가 잘못됐거나 삭제된 페이지예요.
    .not_owner = 다른 사용자의 항목이에요.
    .administrators_only = 관리자만 할 수 있어요.
    .first_party_only = 공식 클라이언트만 쓸 수 있어요.
    .body_too_long = 입력한 내용이 너무 길어요.
    .method_not_allowed = 이 주소에서는 할 수 없는 작업이에요.
    .storage_unavailable = 지금은 서비스를 이용할 수 없어요. 잠시 후 다시 시도해 주세요.
    .failed = 서비스에 문제가 생겼어요. 변경된 내용은 없어요.
    .name_characters = 보이지 않는 문자나 다른 언어의 비슷한 글자를 섞어 쓸 수 없어요. 한글과 영문처럼 흔히 함께 쓰는 글자로 입력해 주세요.
    .text_characters = 보이지 않는 문자나 글의 방향을 바꾸는 문자가 있어요. 그 문자를 빼고 다시 입력해 주세요.
    .name_reserved = 서비스나 학교 이름이 들어 있거나 그와 비슷해서 쓸 수 없어요. 다른 이름을 입력해 주세요.
    .scope_name_taken = 이 애플리케이션에 같은 이름의 권한이 이미 있어요.
    .scope_not_allowed = 내 역할의 키에는 넣을 수 없는 권한이 있어요.
    .approval_required = 먼저 승인을 받아야 하는 권한이 있어요. 클라이언트 페이지에서 요청해 주세요.
    .public_client = 공개 클라이언트에는 시크릿이 없어요.
    .client_suspended = 정지된 앱이에요. 학교 관리자가 다른 사용자에게 넘길 수 있어요.
    .last_first_party = 마지막 공식 클라이언트이거나 service:manage 권한을 쓸 수 있는 마지막 클라이언트예요. 정말 삭제하려면 먼저 설정에서 service:manage 권한을 빼고 “공식”을 꺼 주세요.
    .owner_unknown = 사용자를 찾을 수 없어요.
    .too_many_api_keys = API 키를 더 만들 수 없어요. 더 이상 쓰지 않는 키를 폐기해 주세요.
    .too_many_key_values = 유효한 값이 이미 다섯 개라 새 값을 만들 수 없어요. “즉시 만료”를 고르거나 이전 값 하나가 만료된 뒤 다시 시도해 주세요.
    .too_many_applications = 애플리케이션을 더 만들 수 없어요. 필요 없는 애플리케이션을 삭제하거나 관리자에게 문의해 주세요.
    .too_many_defined_scopes = 이 애플리케이션에는 권한을 더 추가할 수 없어요. 필요 없는 권한을 삭제하거나 관리자에게 문의해 주세요.
    .too_many_clients = 클라이언트를 더 만들 수 없어요. 필요 없는 클라이언트를 삭제하거나 관리자에게 문의해 주세요.
    .too_many_redirect_uris = 리디렉션 URI가 너무 많거나 전체 길이가 너무 길어요.
    .management_limited = 짧은 시간에 변경을 너무 많이 했어요. 잠시 후 다시 시도해 주세요.
    .email_taken = 이미 이 주소의 계정이 있어요.
    .link_invalid = 잘못됐거나 만료됐거나 이미 사용한 링크예요. 관리자에게 새 링크를 요청해 주세요.
    .own_account = 내 계정에는 할 수 없어요. 다른 관리자에게 요청해 주세요.
    .last_administrator = 마지막 관리자예요. 먼저 다른 사용자를 관리자로 지정해 주세요.

errors-of-the-service = 서비스에 속한 항목이라 변경할 수 없어요.
errors-form-token = 페이지를 연 지 오래됐거나, 그 뒤에 다른 계정으로 로그인했어요. 페이지를 다시 열어 주세요.
errors-form-broken = 입력한 내용을 제대로 받지 못했어요. 돌아가서 다시 제출해 주세요.
errors-session-ended = 로그인이 만료됐어요. 다시 로그인해 주세요.
errors-authorization-ended = 만료됐거나 이미 완료된 로그인이에요. 앱으로 돌아가 다시 시작해 주세요.
errors-credentials = 이메일 주소 또는 비밀번호가 맞지 않아요.
errors-sign-in-limited = 로그인에 여러 번 실패했어요. 잠시 후 다시 시도해 주세요.
errors-sign-in-limited-for = 로그인에 여러 번 실패했어요. { $minutes }분 뒤에 다시 시도해 주세요.
errors-busy = 지금 로그인하는 사람이 많아요. 몇 초 뒤에 다시 시도해 주세요.
errors-changed-meanwhile = 그사이 내용이 변경되어 저장하지 못했어요. 확인하고 다시 시도해 주세요.
errors-missing = 필수 항목이에요.
errors-unreadable = 사용할 수 없는 값이에요.
errors-line = 255자 이내로 한 줄로 입력해 주세요.
errors-choose-one = 하나를 선택해 주세요.
errors-choose-scope = 하나 이상 선택해 주세요.
errors-scope-name = 영어 소문자, 숫자, _, -만 100자 이내로 입력해 주세요.
errors-scope-unknown = 선택한 권한 중에 없어진 권한이 있어요.
errors-too-many-scopes = 권한은 200개까지 선택할 수 있어요.
errors-manage-is-for-first-parties = service:manage는 공식 클라이언트만 쓸 수 있어요.
errors-public-with-credentials = 공개 클라이언트는 사용자 없이 토큰을 받을 수 없어요.
errors-client-unknown = 이 ID의 클라이언트가 없어요.
errors-redirect-uris = 사용할 수 없는 리디렉션 URI가 있어요. 규칙은 입력란 아래에 있어요.
errors-email = 올바른 이메일 주소를 입력해 주세요.
errors-password-length = 비밀번호를 1,024바이트 이내로 입력해 주세요.
errors-policy-uri = https://로 시작하는 전체 주소를 2,000자 이내로 입력해 주세요.
errors-password-short = 새 비밀번호는 { $characters }자 이상이어야 해요.
errors-password-email = 이메일 주소나 @ 앞부분은 비밀번호로 쓸 수 없어요.
errors-password-name = 학교나 서비스의 이름은 비밀번호로 쓸 수 없어요.
errors-password-usual = 추측하기 쉬운 비밀번호예요. 서로 관련 없는 단어 서너 개를 이어 써 보세요.
errors-password-not-allowed = 여기에서는 쓸 수 없는 비밀번호예요. 다른 비밀번호를 입력해 주세요.
errors-password-wrong = 현재 비밀번호가 맞지 않아요.
errors-password-differs = 새 비밀번호가 서로 일치하지 않아요.
errors-number = 정수를 입력해 주세요.
errors-number-to = 1부터 { $most }까지의 정수를 입력해 주세요.
errors-owner-at-most = 최대 { $most }까지 입력할 수 있어요. 더 늘리려면 관리자에게 요청해 주세요.
errors-owner-at-least = 이 요청 수에는 { $least } 이상을 입력해야 해요. 더 늘리려면 관리자에게 요청해 주세요.
errors-key-scopes = 키의 권한은 빼기만 할 수 있어요. 권한이 더 필요하면 새 키를 만들어 주세요.
errors-overlap = 이전 값은 최대 30일까지 더 쓸 수 있어요.
errors-date = 날짜를 입력해 주세요.
errors-days = 시작일과 종료일을 날짜로 입력해 주세요. 시작일은 종료일보다 늦을 수 없어요.
errors-date-range = 시작일은 종료일보다 늦을 수 없고, 기간은 366일을 넘을 수 없어요.
errors-date-alone = 날짜 하나만 입력하거나, 시작일과 종료일을 입력해 주세요.
errors-hidden-field = 이 키로는 볼 수 없는 정보라 필터나 정렬에 쓸 수 없어요.
errors-rate-limited = 이 키의 요청 한도를 모두 썼어요. 잠시 후 다시 시도해 주세요.

## Calendar feeds of API keys

calendars-title = 캘린더 구독
calendars-lead = 비밀 주소로 캘린더 앱에서 학사일정, 급식, 시간표를 구독할 수 있어요. 구독 주소는 학년도가 끝날 때까지 쓸 수 있어요. 키가 만료되면 구독도 멈추니 만료되기 전에 갱신해 주세요.
calendars-create = 구독 주소 만들기
calendars-ends-with = 주소 끝자리
calendars-revoke-one = { $hint }(으)로 끝나는 구독 주소 폐기
calendars-created-title = 구독 주소를 만들었어요
calendars-shown-once = 이 주소는 지금 한 번만 볼 수 있어요. 주소를 아는 사람은 누구나 캘린더를 볼 수 있으니 다른 사람에게 알려 주지 마세요.
calendars-how-to = 캘린더 앱에서 바로 열거나, 주소를 복사해 앱의 “URL로 캘린더 추가” 메뉴에 붙여 넣어 주세요.
calendars-subscribe = 캘린더 앱에서 열기
calendars-schedules = 학사일정
calendars-meals = 급식
calendars-timetables = 반별 시간표
calendars-class-timetable = { $grade }학년 { $class }반
calendars-done-revoked = 구독 주소를 폐기했어요. 이 주소를 구독하던 앱에는 더 이상 일정이 보이지 않아요.
calendars-done-key-expired = 키가 만료됐거나 정지되어 구독 주소도 멈췄어요. 먼저 키를 갱신해 주세요.
calendars-done-limit = 이 키에는 구독 주소가 이미 열 개 있어 더 만들 수 없어요. 더 이상 쓰지 않는 주소를 폐기해 주세요.

## The review of clients: a client's page

review-label = 검토
review-verified = 확인됨
review-unverified = 확인되지 않음
review-assumed = 아직 검토 전
review-verified-by = 확인한 사람: { $administrator }
review-unverified-lead = 관리자가 아직 확인하지 않은 클라이언트예요. 사용자에게 경고가 표시되고, 오류가 나면 사용자가 직접 눌러야 앱으로 돌아가요.
review-verified-lead = 이름이나 개인정보처리방침을 바꾸거나 리디렉션 URI를 추가하면 관리자가 다시 확인해야 해요.

## The review of clients: its pages

review-count = 검토할 클라이언트 { $count }개
review-new-clients = 확인되지 않은 클라이언트
review-new-clients-lead = 확인하기 전까지 사용자에게 경고가 표시돼요. 거절 기능은 없어요. 문제가 있으면 소유자에게 연락하거나 클라이언트를 삭제해 주세요.
review-older-clients-lead = 클라이언트 검토가 시작되기 전에 등록됐어요. 확인된 것으로 처리되어 경고가 표시되지 않아요.
review-verify = 확인됨으로 표시
review-verify-title = { $client } 클라이언트를 확인됨으로 표시할까요?
review-verify-effect = 확인되지 않았다는 경고가 사라지고, 오류가 나면 사용자를 바로 앱으로 돌려보내요. 이름과 소유자, 사용자가 이동할 주소를 확인해 주세요.
review-owner = 소유자: { $owner }
review-redirect-uri = 리디렉션 URI: { $uri }
review-unverify = 확인 취소
review-unverify-title = { $client } 클라이언트의 확인을 취소할까요?
review-unverify-effect = 사용자에게 확인되지 않았다는 경고가 표시되고, 오류가 나면 사용자가 직접 눌러야 앱으로 돌아가요. 이미 허용한 접근은 그대로예요.
review-policy-uri = 개인정보처리방침: { $uri }
review-done-verified = 클라이언트를 확인했어요.
review-done-verified-client = { $client } 클라이언트를 확인했어요.
review-done-unverified = 확인을 취소했어요.

## Unverified clients on the pages of an authorization

review-unverified-warning = 관리자가 아직 확인하지 않은 앱이에요. 만든 사람을 믿을 때만 허용해 주세요.
review-not-sent-back = 관리자가 확인하지 않은 앱이라 자동으로 이동하지 않아요. { $destination } 주소를 믿을 수 있을 때만 이동해 주세요.
review-go-to = { $destination }(으)로 이동

## Effects of removing an account or changing its password, and suspended clients

removal-revoke-keys = API 키도 모두 폐기
removal-revoke-keys-hint = 키를 쓰는 프로그램은 새 키로 바꿀 때까지 작동하지 않아요. 다른 사람이 키를 모르는 것이 확실할 때만 유지해 주세요.
removal-suspends = 클라이언트 { $count }개가 정지돼요. 다른 사용자에게 이전할 때까지 이 클라이언트로는 로그인할 수 없고 토큰도 발급되지 않아요.
removal-suspended = 정지됨
removal-suspended-since = 정지 일시:
removal-suspended-lead = 소유자의 계정을 더 이상 쓸 수 없어요. 관리자가 다른 사용자에게 이전할 때까지 이 클라이언트로는 로그인할 수 없고 토큰도 발급되지 않아요.
removal-suspended-restored-lead = 데이터베이스를 백업에서 복원해서 나중에 바뀐 내용이 빠졌을 수 있어요. 서버에서 확인하거나 관리자가 다른 사용자에게 이전할 때까지 이 클라이언트로는 로그인할 수 없고 토큰도 발급되지 않아요.
removal-reassigned = 공식 클라이언트는 계속 작동해요. 이 사용자가 시크릿을 알고 있다면 시크릿을 새로 만들어 주세요.
removal-transfer-client = 소유권 이전
removal-transfer-to-service = 서비스로 소유권 이전
removal-transfer-client-lead = 새 소유자가 클라이언트를 관리하고, 정지된 클라이언트는 다시 쓸 수 있어요. 이전하기 전에 리디렉션 URI가 어디로 이어지는지 확인해 주세요. 이전 소유자가 알 수 있는 시크릿은 삭제되니, 정지됐던 클라이언트에는 시크릿을 새로 만들어 주세요.
removal-done-transferred = 소유권을 이전했어요.

## Roles and scopes

domain-role =
    .USER = 사용자
    .ADMIN = 관리자

domain-role-user-hint = 자신의 키, 클라이언트, 애플리케이션만 관리해요.
domain-role-admin-hint = 모든 사용자의 모든 항목을 보고 관리해요.
domain-scope-student-read = 학생
domain-scope-student-read-hint = 이름, 학년과 반, 연락처
domain-scope-club-read = 동아리
domain-scope-club-read-hint = 동아리와 동아리장, 구성원
domain-scope-project-read = 프로젝트
domain-scope-project-read-hint = 프로젝트와 구성원, 저장소
domain-scope-neis-read = 급식, 학사일정, 시간표
domain-scope-neis-read-hint = 개인정보가 없는 학교 정보

domain-personal-field =
    .SEX = 성별
    .EMAIL = 이메일 주소
    .CLASS = 학년, 반, 번호
    .MAJOR = 학과
    .SPECIALTY = 특기 분야
    .DORMITORY = 기숙사 호실
    .GITHUB = GitHub

domain-service-scope-self-read = 내 기본 정보와 학생 정보 보기
domain-service-scope-manage = 내 애플리케이션, 클라이언트, API 키 관리하기

domain-severity =
    .low = 참고
    .medium = 중요
    .high = 시급

## Advice about a client, with remedies

domain-advice =
    .plain_pkce = PKCE plain 방식을 쓸 수 있어요
    .public_management = 공개 클라이언트가 관리 권한을 요청할 수 있어요
    .secret_not_demanded = 시크릿 없이도 토큰을 받을 수 있어요
    .old_secret = 시크릿을 만든 지 1년이 넘었어요
    .unfinished_rotation = 시크릿 두 개를 30일 넘게 쓰고 있어요
    .no_secret = 시크릿이 없어요
    .secret_on_users_machine = 시크릿이 사용자의 기기에 있을 수 있어요
    .private_use_scheme = 다른 앱도 쓸 수 있는 스킴을 써요
    .unreachable = 리디렉션 URI가 없어요
    .localhost_by_name = 리디렉션 URI에 localhost라는 이름을 써요
    .iss_omitted = 리디렉션에 iss가 없어요
    .pkce_not_demanded = PKCE가 필수가 아니에요
    .many_redirect_uris = 리디렉션 URI가 많아요
    .many_public_scopes = 공개 클라이언트가 요청할 수 있는 권한이 많아요

domain-advice-remedy =
    .plain_pkce = S256 방식을 쓰고 plain은 꺼 주세요. plain은 요청을 본 사람에게 verifier가 드러나요.
    .public_management = service:manage 권한을 빼거나 시크릿을 쓰게 해 주세요. 공개 클라이언트는 누구나 흉내 낼 수 있어요.
    .secret_not_demanded = 인증 방식을 “클라이언트 시크릿”으로 바꿔 주세요. 인가 코드가 유출돼도 시크릿 없이는 쓸 수 없어요.
    .old_secret = 새 시크릿을 만들어 바꾼 뒤 이전 시크릿을 삭제해 주세요.
    .unfinished_rotation = 이전 시크릿을 삭제해 주세요. 새 시크릿을 만든 지 30일이 넘었어요.
    .no_secret = 시크릿을 만들거나 공개 클라이언트로 바꿔 PKCE를 쓰게 해 주세요. 지금은 인증할 수 없어요.
    .secret_on_users_machine = 사용자 기기의 프로그램은 따로 공개 클라이언트로 등록해 주세요. 배포한 시크릿은 비밀이 아니에요.
    .private_use_scheme = 앱과 연결된 https 주소를 써 주세요. 다른 앱이 같은 스킴을 등록해 코드를 가로챌 수 있어요.
    .unreachable = 리디렉션 URI를 등록하거나, 관리자에게 사용자 없는 토큰을 허용해 달라고 요청해 주세요.
    .localhost_by_name = localhost 대신 127.0.0.1이나 [::1]을 등록해 주세요. 이름은 다른 기기를 가리키게 바뀔 수 있어요.
    .iss_omitted = 클라이언트에 issuer를 설정하고 iss를 다시 켜 주세요. 여러 서비스를 함께 쓰는 앱은 iss가 있어야 엉뚱한 서비스의 응답을 알아채요.
    .pkce_not_demanded = 모든 요청에 code_challenge(S256)를 보내고 PKCE를 필수로 해 주세요. 공격자가 끼워 넣은 코드도 막을 수 있어요.
    .many_redirect_uris = 쓰지 않는 주소를 삭제해 주세요. 주소마다 코드가 새어 나갈 수 있어요.
    .many_public_scopes = 실제로 쓰는 권한만 남겨 주세요. 공개 클라이언트의 이름으로는 누구나 요청할 수 있어요.

## Events of the audit log, and managed objects

domain-event =
    .signed_in = 로그인
    .sign_in_refused = 로그인 실패
    .sign_in_limited = 로그인 시도 제한
    .signed_out = 로그아웃
    .consent_asked = 동의 요청
    .consent_given = 동의
    .consent_remembered = 이전 동의 사용
    .consent_denied = 동의 거부
    .code_issued = 코드 발급
    .tokens_issued = 토큰 발급
    .refreshed = 토큰 갱신
    .refresh_repeated = 토큰 갱신 재시도
    .client_token_issued = 클라이언트 토큰 발급
    .reuse_detected = 코드·토큰 재사용 감지
    .revoked = 클라이언트가 연결 끊음
    .revoked_with_user = 계정 삭제로 연결 끊김
    .grant_replaced = 새 로그인으로 이전 연결 끊김
    .grant_withdrawn = 연결 끊음
    .consent_withdrawn = 동의 철회
    .signed_out_everywhere = 모든 기기에서 로그아웃
    .signing_key_installed = 서명 키 생성
    .signing_key_revoked = 서명 키 폐기
    .signing_keys_removed = 서명 키 정리
    .backup_restored = 백업에서 복원
    .imported = 파일에서 가져옴
    .synced = 나이스와 동기화
    .year_turned = 학년도 전환
    .year_turn_undone = 학년도 전환 취소
    .person_erased = 개인정보 삭제
    .leavers_removed = 졸업생·자퇴생 정리
    .edited = 학교 정보 변경
    .data_viewed = 학교 데이터 조회
    .managed = 계정·키·앱 변경
    .refused = 거절

domain-change =
    .created = 생성
    .changed = 변경
    .renewed = 갱신
    .suspended = 정지
    .resumed = 재개
    .confirmed = 확인
    .deleted = 삭제
    .refused = 거절
    .verified = 확인
    .unverified = 확인 취소

domain-invitation =
    .new = 새 계정
    .invited = 초대함(비밀번호 미설정)
    .has_password = 이미 비밀번호 있음
    .suspended = 정지됨

domain-object =
    .application = 애플리케이션
    .scope = 권한
    .client = 클라이언트
    .client_secret = 클라이언트 시크릿
    .scope_approval = 권한 승인
    .scope_request = 권한 요청
    .api_key = API 키
    .calendar_feed = 캘린더 구독 주소
    .account = 계정
    .password = 비밀번호
    .sessions = 로그인된 기기

## The sync with NEIS

sync-title = 나이스 동기화
sync-lead = 급식, 학사일정, 시간표를 하루에 한 번 나이스에서 가져와요. 바뀌지 않은 정보는 그대로 유지돼요.
sync-now = 지금 동기화
sync-is-running = 동기화하고 있어요. 1~2분쯤 걸려요.
sync-look-again = 새로고침
sync-kinds = 데이터 최신 상태
sync-kind = 데이터
sync-as-of = 기준 일시
sync-age = 경과 시간
sync-unknown = 알 수 없음
sync-minutes-ago = { $count }분
sync-hours-ago = { $count }시간
sync-days-ago = { $count }일
sync-runs = 최근 실행
sync-no-runs = 아직 실행한 적이 없어요.
sync-result = 결과
sync-inserted = 추가
sync-updated = 변경
sync-deleted = 삭제
sync-skipped = 건너뜀
sync-by = 실행한 사람
sync-by-itself = 자동 또는 명령어
sync-failing = 급식, 학사일정 또는 시간표가 최신이 아니에요. 마지막 기준 일시:
sync-failing-look = 원인 보기
sync-done-started = 동기화를 시작했어요.
sync-done-running = 이미 동기화하고 있어요.
domain-sync-result =
    .running = 동기화하고 있어요
    .interrupted = 끝나기 전에 중단됐어요
    .synced = 최신 상태예요
    .empty = 나이스에 이 기간의 정보가 없어요
    .missing = 저장된 정보가 있는 기간인데 나이스에는 없어요. 학교 코드를 확인해 주세요
    .key_refused = 나이스가 학교 인증키를 거절했어요. 인증키를 확인해 주세요
    .request_refused = 나이스가 요청을 거절했어요. 학교 코드를 확인해 주세요
    .quota_spent = 오늘 나이스 요청 한도를 다 썼어요
    .unavailable = 나이스에 연결할 수 없어요. 자동 동기화가 켜져 있으면 한 시간 뒤 다시 시도해요
    .incomplete = 나이스가 일부만 보냈어요. 인증키가 설정됐는지 확인해 주세요
    .changed_meanwhile = 가져오는 동안 나이스의 정보가 바뀌었어요
    .too_many_calls = 필요한 요청이 한도를 넘었어요. 서버 관리자에게 알려 주세요
    .too_many_deletions = 삭제될 정보가 너무 많아 적용하지 않았어요. 나이스가 맞다면 서버에서 sync --max-deleted 100을 실행해 주세요
    .two_academic_years = 기간이 두 학년도에 걸쳐 있어요
    .rejected = 학교 설정에 맞지 않는 정보예요
    .contended = 다른 곳에서 데이터를 계속 바꾸고 있어요
    .store_failed = 데이터베이스가 응답하지 않았어요

## Labels of the school's lists, fields and enumeration values, by their names in the data API

school-list =
    .students = 학생
    .clubs = 동아리
    .projects = 프로젝트
    .meals = 급식
    .schedules = 학사일정
    .timetables = 시간표
    .class_history = 연도별 반
    .audit_events = 감사 로그

school-field =
    .id = ID
    .name = 이름
    .email = 이메일 주소
    .grade = 학년
    .classNum = 반
    .number = 번호
    .studentNumber = 학번
    .sex = 성별
    .major = 학과
    .specialty = 특기 분야
    .role = 구분
    .dormitoryRoom = 기숙사 호실
    .majorClub = 전공 동아리
    .autonomousClub = 자율 동아리
    .githubId = GitHub
    .includeGraduates = 졸업생 포함
    .includeWithdrawn = 자퇴생 포함
    .onlyEnrolled = 재학생만 보기
    .type = 종류
    .status = 상태
    .foundedYear = 창설 연도
    .abolishedYear = 폐지 연도
    .leader = 동아리장
    .includeLeaderInParticipants = 동아리장도 구성원에 포함
    .participants = 구성원
    .description = 설명
    .startYear = 시작 연도
    .endYear = 종료 연도
    .club = 동아리
    .clubId = 동아리 ID
    .repositories = 저장소
    .techStacks = 기술 스택
    .date = 날짜
    .fromDate = 시작일
    .toDate = 종료일
    .mealDate = 날짜
    .mealType = 식사
    .dishes = 메뉴 (알레르기)
    .mealCalories = 열량
    .scheduleDate = 날짜
    .eventName = 행사
    .eventContent = 설명
    .dayCategory = 날짜 구분
    .targetGrades = 대상 학년
    .timetableDate = 날짜
    .period = 교시
    .subject = 과목
    .classroom = 교실
    .dormitoryFloor = 기숙사 층
    .githubUrl = GitHub 주소
    .mealId = ID
    .mealMenu = 메뉴
    .mealAllergyInfo = 메뉴별 알레르기
    .originInfo = 원산지
    .nutritionInfo = 영양 정보
    .mealServeCount = 급식 인원
    .scheduleId = ID
    .timetableId = ID
    .schoolCode = 학교 코드
    .schoolName = 학교
    .officeCode = 교육청 코드
    .officeName = 교육청
    .schoolCourseType = 계열
    .dayNightType = 주간·야간
    .academicYear = 학년도
    .semester = 학기
    .department = 학과

school-word =
    .Sex-MAN = 남
    .Sex-WOMAN = 여
    .StudentRole-STUDENT_COUNCIL = 학생회
    .StudentRole-DORMITORY_MANAGER = 기숙사 자치위원
    .StudentRole-GENERAL_STUDENT = 일반 학생
    .StudentRole-GRADUATE = 졸업생
    .StudentRole-WITHDRAWN = 자퇴생
    .Major-SW_DEVELOPMENT = SW개발과
    .Major-SMART_IOT = 스마트IoT과
    .Major-AI = 인공지능과
    .ClubType-MAJOR_CLUB = 전공 동아리
    .ClubType-AUTONOMOUS_CLUB = 자율 동아리
    .ClubStatus-ACTIVE = 운영 중
    .ClubStatus-ABOLISHED = 폐지
    .ProjectStatus-ACTIVE = 진행 중
    .ProjectStatus-ENDED = 종료
    .MealType-BREAKFAST = 조식
    .MealType-LUNCH = 중식
    .MealType-DINNER = 석식

## Explanations of the rules by which requests are refused, for administrators, by the words in logs

domain-rule =
    .not_found = 없는 주소예요.
    .method_not_allowed = 이 주소에서 받지 않는 메서드예요.
    .body_too_long = 본문이 엔드포인트가 받는 길이보다 길어요.
    .body_broken = 본문이 중간에 끊겼거나 제때 오지 않았어요.
    .body_type = 본문의 콘텐츠 형식이나 문자 집합이 다르거나 여러 개예요.
    .body_malformed = 본문이 콘텐츠 형식과 맞지 않거나 필요한 항목이 아니에요.
    .parameters_malformed = 쿼리나 양식이 퍼센트 인코딩한 UTF-8이 아니에요.
    .parameters_in_query = 본문에 있어야 할 것이 쿼리에 있어요.
    .parameter_repeated = 매개변수가 두 번 왔어요.
    .parameter_is_list = 목록이면 안 되는 매개변수가 목록이에요.
    .parameter_missing = 필요한 매개변수가 빠졌어요. 응답에 어떤 것인지 나와요.
    .form_token = 양식이 다른 세션의 것이거나 세션이 없어요.
    .form_field = 양식에 없던 항목이 왔어요.
    .decision = 동의 화면에 없는 결정이에요.
    .session_missing = 세션 토큰이 없거나, 두 개이거나, 형식이 잘못됐어요.
    .session_ended = 알 수 없는 세션이에요. 만료됐거나, 이미 처리됐거나, 로그인하면서 다른 토큰으로 바뀌었어요.
    .session_not_signed_in = 세션에 로그인한 사용자가 없어요.
    .session_client_gone = 세션의 클라이언트가 삭제됐어요.
    .session_redirect_gone = 세션이 돌아갈 리디렉션 URI가 클라이언트에서 삭제됐어요.
    .session_scope_gone = 세션이 요청한 권한이 삭제됐거나, 클라이언트가 더 이상 요청할 수 없어요.
    .consent_gone = 기억한 동의가 요청을 다 포함하지 않아요.
    .credentials = 이메일 주소 또는 비밀번호가 맞지 않아요.
    .link_invalid = 일회용 링크가 손상됐거나, 만료됐거나, 이미 쓰였어요.
    .sign_in_limited = 로그인에 너무 많이 실패했어요.
    .sign_in_busy = 확인을 기다리는 비밀번호가 너무 많아요.
    .authorize_limited = 이 네트워크에서 세션을 너무 많이 열었어요.
    .client_limited = 클라이언트가 요청을 너무 많이 보냈어요.
    .failed_clients_limited = 이 네트워크에서 클라이언트 인증에 실패한 요청이 너무 많아요.
    .client_unknown = 그런 클라이언트가 없어요.
    .client_malformed = 클라이언트 ID나 인증 정보를 읽을 수 없어요.
    .client_twice = 클라이언트가 두 가지 인증 방식을 동시에 썼어요.
    .client_differs = 헤더의 클라이언트 ID와 본문의 클라이언트 ID가 달라요.
    .secret_missing = 시크릿을 보내야 하는 클라이언트가 보내지 않았어요.
    .secret_wrong = 클라이언트 시크릿이 올바르지 않아요.
    .secret_unexpected = 공개 클라이언트가 시크릿을 보냈어요.
    .client_unproven = 클라이언트가 시크릿이나 verifier로 인증하지 않았거나, 코드를 바꿀 때보다 약하게 인증했어요.
    .redirect_unregistered = 클라이언트가 등록하지 않은 리디렉션 URI예요.
    .response_type = 응답 형식이 code가 아니에요.
    .prompt = prompt 값이 서로 어긋나거나, 화면이 필요한데 보여 줄 수 없게 했어요.
    .state = state가 너무 길거나 허용되지 않는 글자가 있어요.
    .scope_malformed = scope가 권한 목록이 아니에요.
    .scope_not_allowed = 클라이언트가 요청할 수 없는 권한이거나, 사용자 역할의 API 키가 가질 수 없는 권한이에요.
    .scope_not_granted = 허용한 범위를 넘는 권한이에요.
    .scope_none = 허용할 수 있는 권한이 없거나 남지 않았어요.
    .scope_too_many = 액세스 토큰 하나에 담을 수 있는 것보다 많은 권한을 요청했어요.
    .challenge_missing = PKCE를 써야 하는 클라이언트가 challenge를 보내지 않았어요.
    .challenge_malformed = 방식에 맞지 않는 challenge예요.
    .challenge_method = challenge 방식이 없거나, 알 수 없거나, 허용되지 않거나, challenge가 없어요.
    .user_denied = 사용자가 거부했어요.
    .user_gone = 더 이상 계정이 없는 사용자예요.
    .grant_type = 지원하지 않는 grant type이에요.
    .grant_type_not_allowed = 사용자 없이 토큰을 받을 수 없는 클라이언트예요.
    .code_unknown = 존재하지 않는 인가 코드예요.
    .code_expired = 인가 코드가 만료됐어요.
    .code_replayed = 이미 쓴 인가 코드예요. 그 연결은 폐기했어요.
    .code_of_other = 다른 클라이언트에 발급한 인가 코드예요.
    .redirect_differs = 코드를 보낸 리디렉션 URI와 달라요.
    .verifier_missing = challenge가 있는 코드인데 verifier가 오지 않았어요.
    .verifier_wrong = verifier가 잘못됐거나 challenge와 맞지 않아요.
    .verifier_unexpected = challenge가 없는 코드에 verifier가 왔어요.
    .refresh_unknown = 이곳에서 발급하지 않은 리프레시 토큰이거나, 그 연결이 정리됐어요.
    .refresh_of_other = 다른 클라이언트에 발급한 리프레시 토큰이에요.
    .refresh_reused = 이미 새것으로 바뀐 리프레시 토큰이에요. 그 연결은 폐기했어요.
    .grant_expired = 연결이 쓰이지 않았거나 기간이 다 돼서 만료됐어요.
    .grant_revoked = 이미 폐기된 연결이에요.
    .token_irrevocable = 사용자 없이 발급한 토큰은 폐기할 수 없어요.
    .bearer_missing = 액세스 토큰이 없어요.
    .bearer_place = 액세스 토큰이 쿼리에 있거나 두 번 왔어요.
    .bearer_invalid = 이곳에서 발급하지 않았거나, 손상됐거나, 만료된 액세스 토큰이에요.
    .bearer_audience = 다른 서비스용 액세스 토큰이에요.
    .bearer_without_user = 사용자가 없는 액세스 토큰이에요.
    .bearer_revoked = 액세스 토큰의 연결이 끊겼어요.
    .bearer_scope = 액세스 토큰에 그 권한이 없어요.
    .field_repeated = 본문의 항목이 두 번 왔어요.
    .field_missing = 본문의 항목이 빠졌어요.
    .field_invalid = 본문의 항목이 규칙에 맞지 않아요.
    .name_characters = 이름에 보이지 않는 문자가 있거나 비슷하게 생긴 다른 언어의 글자가 섞여 있어요.
    .text_characters = 사용자가 읽는 글에 보이지 않는 문자나 글의 방향을 바꾸는 문자가 있어요.
    .name_reserved = 서비스나 학교의 이름과 같거나, 그 이름이 들어 있거나, 비슷해 보이는 이름이에요.
    .field_unknown = 엔드포인트가 모르는 항목이 본문에 있어요.
    .parameter_unknown = 엔드포인트가 모르는 매개변수가 쿼리에 있어요. 쓸 수 있는 매개변수는 응답에 나와 있어요.
    .parameter_invalid = 매개변수가 규칙에 맞지 않아요.
    .first_party_only = 액세스 토큰의 클라이언트는 더 이상 관리할 수 없어요.
    .not_owner = 다른 사용자의 항목이고, 사용자는 관리자가 아니에요.
    .administrators_only = 관리자만 보거나 변경할 수 있어요.
    .of_the_service = 서비스에 속한 항목이라 변경할 수 없어요.
    .scope_unknown = 클라이언트나 API 키에 넣으려는 권한이 없어요.
    .approval_required = 애플리케이션 소유자가 승인하지 않은 권한을 클라이언트에 넣으려 했어요.
    .scope_name_taken = 애플리케이션에 같은 이름의 권한이 이미 있어요.
    .public_client = 공개 클라이언트라 시크릿이 없어요.
    .client_suspended = 소유자의 계정을 더 이상 쓸 수 없거나 데이터베이스를 백업에서 복원해서 정지된 클라이언트예요. 관리자가 다른 사용자에게 이전할 수 있어요.
    .last_first_party = 마지막 공식 클라이언트이거나 service:manage 권한을 쓸 수 있는 마지막 클라이언트예요.
    .owner_unknown = 새 소유자 ID의 사용자가 없어요.
    .too_many_api_keys = 사용자가 만들 수 있는 API 키 수를 모두 채웠어요.
    .too_many_key_values = API 키에 유효한 값이 이미 다섯 개 있어요.
    .too_many_applications = 사용자가 만들 수 있는 애플리케이션 수를 모두 채웠어요.
    .too_many_defined_scopes = 애플리케이션에 만들 수 있는 권한 수를 모두 채웠어요.
    .too_many_clients = 사용자가 만들 수 있는 클라이언트 수를 모두 채웠어요.
    .too_many_redirect_uris = 클라이언트의 리디렉션 URI가 너무 많거나 너무 길어요.
    .management_limited = 사용자가 짧은 시간에 너무 많은 것을 변경했어요.
    .email_taken = 이미 이 주소의 계정이 있어요.
    .own_account = 관리자는 자신의 역할을 바꾸거나 자신을 삭제할 수 없어요.
    .last_administrator = 마지막 관리자예요. 관리자는 적어도 한 명 있어야 해요.
    .changed_meanwhile = 동시에 다른 요청이 변경했어요.
    .api_key_missing = 헤더 X-API-KEY에 API 키가 없어요.
    .api_key_repeated = 헤더 X-API-KEY가 여러 번 왔어요.
    .api_key_invalid = 그런 API 키가 없거나 폐기됐어요.
    .api_key_expired = API 키가 만료됐어요.
    .calendar_feed_invalid = 캘린더 구독 주소가 없거나 만료 또는 폐기됐어요. 또는 연결된 API 키를 쓸 수 없어요.
    .api_key_owner_gone = API 키 소유자가 더 이상 사용자가 아니에요.
    .bad_keys_limited = 이 네트워크에서 쓸 수 없는 API 키로 너무 많은 요청이 왔어요.
    .rate_limited = API 키의 요청 한도를 모두 썼어요.
    .scope_missing = 이 주소에 필요한 권한이 API 키에 없어요.
    .field_hidden = API 키로 볼 수 없는 정보를 매개변수에 썼어요.
    .query_malformed = 쿼리가 퍼센트 인코딩된 UTF-8이 아니거나 이름 없는 값이 있어요.
    .updated_since_unknown = 변경 내용을 요청한 시점을 여기서 알 수 없어요.
    .not_acceptable = 이 주소는 요청한 형식으로 응답하지 않아요.
    .precondition_failed = 헤더 If-Match가 현재 상태와 맞지 않아요.
    .storage_unavailable = 저장소가 지금 응답하지 않아요.
    .server_stopping = 서버가 곧 멈추기 때문에 부하 분산기에서 새 요청을 받지 않아요.
    .failed = 내부 오류예요. 원인은 로그의 같은 줄에 있어요.

## The turn of the school year

year-title = 학년도 전환
year-lead = 1년에 한 번, 최고 학년은 졸업하고 나머지 학생은 다음 학년으로 진급해요. 미리 보기를 확인하기 전에는 아무것도 바뀌지 않아요.
year-next = { $year }학년도
year-turned = 전환 완료
year-not-turned = 전환 전
year-turned-hint = 다음 학년도는 9월부터 전환할 수 있어요.
year-turn-hint = 반, 번호, 학과, 호실, 동아리는 그대로 유지돼요. 새 반 배정과 신입생 파일은 명령어 “year turn”으로 반영할 수 있어요.
year-reset-roles = 학생 구분 모두 초기화
year-reset-roles-hint = 학생회와 기숙사 자치위원이 일반 학생으로 바뀌어요.
year-last = 최근 전환
year-no-turn = 아직 학년도를 전환한 적이 없어요.
year-year = 학년도
year-by = 실행한 사람
year-by-command = 명령어
year-graduated = 졸업
year-moved = 진급
year-added = 신입생
year-undone = 되돌린 일시
year-undo-until = 되돌리기 기한
year-too-late = 하루가 지나 되돌릴 수 없어요.
year-show-undo = 되돌리기 미리 보기
year-turn-title = { $year }학년도 전환
year-undo-title = { $year }학년도 전환 되돌리기
year-facts = 요약
year-step-graduates = 졸업
year-step-stays = 진급
year-step-repeats = 유급
year-step-new = 신입생
year-step-restored = 되돌림
year-step-removed = 삭제
year-leaderless = 동아리장이 없어지는 동아리
year-leaderless-lead = 동아리장이 졸업하는 동아리예요.
year-conflicts = 확인이 필요한 정보
year-conflicts-lead = 아래 정보를 고친 다음 다시 확인해 주세요.
year-left-alone = 그대로 두는 정보
year-left-alone-lead = 전환한 뒤에 바뀐 정보라서 되돌리지 않아요.
year-students = 학생
year-before = 현재 학번
year-after = 변경 후 학번
year-apply-turn = 학년도 전환하기
year-apply-undo = 되돌리기
year-outdated = 그사이 학교 정보가 변경되어 적용하지 않았어요. 지금 적용하면 아래처럼 변경돼요.
year-obstacle-conflicts = 확인이 필요한 정보가 있어 전환할 수 없어요.
year-obstacle-turned = 이 학년도나 이후 학년도를 이미 전환했어요.
year-obstacle-large = 한 번에 적용할 수 있는 변경 수를 넘었어요.
year-obstacle-late = 하루가 지나 되돌릴 수 없어요.
year-conflict-number = { $other } 학생과 학번({ $number })이 겹쳐요.
year-conflict-removed = 전환한 뒤에 삭제됐어요.
year-conflict-new-one = 전환으로 추가된 뒤에 정보가 바뀌었어요.
year-conflict-enrollment = 전환한 뒤에 반, 번호, 동아리, 호실 또는 구분이 바뀌었어요.
year-conflict-club = 없어진 동아리라서 다시 가입되지 않아요: { $club }
year-conflict-leader = 동아리장으로 돌아가지 않아요: { $club }
year-done-turned = 학년도를 전환했어요. 하루 안에 되돌릴 수 있어요.
year-done-undone = 학년도 전환을 되돌렸어요.
year-done-nothing-to-undo = 되돌릴 수 있는 전환이 없어요.
year-history = 학년도별 학급 이력
year-history-lead = 학년도가 끝나거나 학교를 떠나기 전에 학생이 속했던 반이에요.
year-history-class = 학급
year-history-class-form = 예: 3-2
year-history-student = 학생 ID
year-history-clubs = 동아리
year-history-end = 종료 사유
year-no-history = 조건에 맞는 이력이 없어요.
year-end =
    .YEAR_END = 학년도 종료
    .GRADUATED = 졸업
    .WITHDRAWN = 자퇴
    .REMOVED = 삭제

## Timetable, meals and the school calendar

week-nav = 시간표·급식
week-timetable = 시간표
week-meals = 급식
week-class-title = { $grade }학년 { $class }반
week-range = { $year }년 { $first } – { $last }
week-range-over-years = { $first-year }년 { $first } – { $last-year }년 { $last }
week-range-in-month = { $year }년 { $month } { $first }일 – { $month } { $last }일
week-date = { $month } { $day }일
week-month-title = { $year }년 { $month }
week-today = 오늘
week-previous = 이전 주
week-this = 이번 주
week-next = 다음 주
week-previous-month = 이전 달
week-this-month = 이번 달
week-next-month = 다음 달
week-other-days = 다른 날짜
week-choose-class = 반 바꾸기
week-choose-day = 요일
week-free-day = 이 날에는 등록된 수업이 없어요.
week-no-lessons-today = 오늘은 등록된 수업이 없어요.
week-next-school-day = 다음 수업일: { $date } ({ $weekday })
week-events = 일정
week-no-class = 속한 반이 없어요.
week-subscribe = 캘린더 앱에서 구독하기
week-subscribe-with-key = API 키를 만들면 캘린더 앱에서 구독할 수 있어요
week-choose-key = 키 바꾸기
week-grade = 학년
week-class = 반
week-department = 학과
week-period = 교시
week-no-lessons = 이 주에는 등록된 수업이 없어요.
week-no-meal = 등록된 식단이 없어요.
week-no-events = 이번 달에는 등록된 일정이 없어요.
week-allergens-lead = 메뉴 아래에 알레르기 유발 식품을 표시했어요.
week-holiday = 공휴일
week-day-off = 휴업일
week-grades = { $grades }학년
week-needs-key = 시간표, 급식, 학사일정을 보려면 이 정보를 읽을 수 있는 API 키가 필요해요.
week-create-key = 키 만들기
week-weekday =
    .d1 = 월
    .d2 = 화
    .d3 = 수
    .d4 = 목
    .d5 = 금
    .d6 = 토
    .d7 = 일
week-month =
    .m1 = 1월
    .m2 = 2월
    .m3 = 3월
    .m4 = 4월
    .m5 = 5월
    .m6 = 6월
    .m7 = 7월
    .m8 = 8월
    .m9 = 9월
    .m10 = 10월
    .m11 = 11월
    .m12 = 12월
week-allergen =
    .a1 = 난류
    .a2 = 우유
    .a3 = 메밀
    .a4 = 땅콩
    .a5 = 대두
    .a6 = 밀
    .a7 = 고등어
    .a8 = 게
    .a9 = 새우
    .a10 = 돼지고기
    .a11 = 복숭아
    .a12 = 토마토
    .a13 = 아황산류
    .a14 = 호두
    .a15 = 닭고기
    .a16 = 쇠고기
    .a17 = 오징어
    .a18 = 조개류
    .a19 = 잣
