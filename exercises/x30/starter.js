const during = []
const after = []
;[during, after]
